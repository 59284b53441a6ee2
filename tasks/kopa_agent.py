"""The agent behind `lighteval custom`: it loops over tool calls and answers with what it did.

lighteval's model NAME says who acts, for the tasks of kopa_bench.py and of bfcl.py alike:
  policy:gold, policy:null, …           a scripted policy
  http://127.0.0.1:8000/v1#MODEL        a model behind an OpenAI-compatible endpoint
  FOLDER or FILE.gguf                   a model on this machine

KOPA_BFCL_MODE=prompt puts BFCL's functions into the system prompt, with calls as text; default: fc, the
call channel. KOPA_CONCURRENCY: BFCL entries at once (default 8).
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import Any

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
from lighteval.utils.cache_management import SampleCache

from kopa_hf.bench.asking import answers
from kopa_hf.bench.bfcl.agents import agent_named, response_of
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import Mode
from kopa_hf.bench.bfcl.source import code_root, open_source
from kopa_hf.bench.model_policy import policy_named, transcript
from kopa_hf.bench.policies import Policy
from kopa_hf.bench.rows import row_from_dict
from kopa_hf.bench.runner import open_session
from kopa_hf.errors import ModelServerError
from kopa_hf.execution.executor import Executor


class KopaAgentModel(LightevalModel):
    """Answers each document with the transcript of one rollout."""

    is_async = False

    def __init__(self, config: Any) -> None:
        self.config = config
        # lighteval reads the attribute; answers are not cached by name, since an agent's tools may have changed
        self._cache = SampleCache(config)

    @cached_property
    def _executor(self) -> Executor:
        return Executor()

    @cached_property
    def _agent(self) -> Policy:
        return policy_named(self.config.model_name)

    @property
    def tokenizer(self) -> None:
        return None

    @property
    def add_special_tokens(self) -> bool:
        return False

    @property
    def max_length(self) -> int:
        return 32768

    def greedy_until(self, docs: list[Doc]) -> list[ModelResponse]:
        bfcl = [doc for doc in docs if "entry" in doc.specific]
        said = dict(zip(map(id, bfcl), self._bfcl_answers(bfcl), strict=True))
        return [
            ModelResponse(text=[json.dumps(said[id(d)] if id(d) in said else self._transcript(d), ensure_ascii=False)])
            for d in docs
        ]

    def _transcript(self, doc: Doc) -> list[dict[str, Any]]:
        row = row_from_dict(json.loads(doc.specific["row"]))
        session = open_session(row, self._executor)
        return transcript(session, self._agent.run(row, session))

    def _bfcl_answers(self, docs: list[Doc]) -> list[dict[str, Any]]:
        """Results with their mode. A model server that fails ends the run: its failures are no wrong answers."""
        if not docs:
            return []
        mode: Mode = "prompt" if os.environ.get("KOPA_BFCL_MODE") == "prompt" else "fc"
        entries = [Entry.from_row(doc.specific) for doc in docs]
        root = code_root(open_source(None)) if any(entry.classes for entry in entries) else None
        agent = agent_named(self.config.model_name, mode, root)
        found = answers(agent, entries, int(os.environ.get("KOPA_CONCURRENCY", "8")))
        faults = [one.fault for one in found if one.solved is None]
        if faults:
            raise ModelServerError(f"{len(faults)} of {len(found)} entries could not be asked. {faults[0]}")
        return [response_of(mode, one.solved.result) for one in found if one.solved is not None]

    def loglikelihood(self, docs: list[Doc]) -> list[ModelResponse]:
        raise ValueError("These tasks are scored on what an agent does, not on likelihoods. Use the generative task.")

    def loglikelihood_rolling(self, docs: list[Doc]) -> list[ModelResponse]:
        raise ValueError("These tasks are scored on what an agent does, not on likelihoods. Use the generative task.")
