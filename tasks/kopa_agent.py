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
import logging
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
from kopa_hf.errors import BudgetError, CatalogError, DataError, MissingExtraError, ModelServerError, TaskError
from kopa_hf.execution.executor import Executor

_SET_UP = (BudgetError, CatalogError, DataError, MissingExtraError, TaskError)
"""Errors that no other task would be spared."""
_DEAD = 5
"""Tasks at the start that must all fail before no more are asked: such a server answers nobody."""


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
        """One response per document; one without text where the agent could not be asked, which is no wrong answer.

        Raises `ModelServerError` where that is every document.
        """
        faults: list[str] = []
        bfcl = [doc for doc in docs if "entry" in doc.specific]
        others = [doc for doc in docs if "entry" not in doc.specific]
        answered: list[Any] = [*self._bfcl_answers(bfcl, faults), *self._transcripts(others, faults)]
        said = dict(zip(map(id, bfcl + others), answered, strict=True))
        if docs and answered.count(None) == len(docs):
            raise ModelServerError(f"The agent could not be asked. {faults[0]}")
        if faults:
            told = f"{answered.count(None)} of {len(docs)} could not be asked and count nowhere (`scored` is below 1)"
            logging.getLogger("kopa_hf").warning("%s:\n  %s", told, "\n  ".join(faults[:20]))
        return [
            ModelResponse(text=[] if said[id(d)] is None else [json.dumps(said[id(d)], ensure_ascii=False)])
            for d in docs
        ]

    def _transcripts(self, docs: list[Doc], faults: list[str]) -> list[list[dict[str, Any]] | None]:
        """What the agent did, task by task; None where a fault spoiled it, which is noted in `faults`."""
        found: list[list[dict[str, Any]] | None] = []
        for doc in docs:
            row, agent = row_from_dict(json.loads(doc.specific["row"])), self._agent
            session = open_session(row, self._executor)
            try:
                found.append(transcript(session, agent.run(row, session)))
            except _SET_UP:
                raise
            except Exception as error:  # noqa: BLE001  # lighteval keeps nothing until the end: one must not cost the others
                found.append(None)
                faults.append(f"{row.id}: {type(error).__name__}: {error}"[:300])
            if len(found) == found.count(None) == _DEAD:
                break
        return found + [None] * (len(docs) - len(found))

    def _bfcl_answers(self, docs: list[Doc], faults: list[str]) -> list[dict[str, Any] | None]:
        """Results with their mode; None where the agent could not be asked, which is noted in `faults`."""
        if not docs:
            return []
        mode: Mode = "prompt" if os.environ.get("KOPA_BFCL_MODE") == "prompt" else "fc"
        entries = [Entry.from_row(doc.specific) for doc in docs]
        root = code_root(open_source(None)) if any(entry.classes for entry in entries) else None
        agent = agent_named(self.config.model_name, mode, root)
        each = list({entry.id: entry for entry in entries}.values())  # several tasks may have the same entry
        found = {one.entry.id: one for one in answers(agent, each, int(os.environ.get("KOPA_CONCURRENCY", "8")))}
        faults += [f"{name}: {one.fault}" for name, one in found.items() if one.solved is None]
        solved = [found[entry.id].solved for entry in entries]
        return [None if one is None else response_of(mode, one.result) for one in solved]

    def loglikelihood(self, docs: list[Doc]) -> list[ModelResponse]:
        raise ValueError("These tasks are scored on what an agent does, not on likelihoods. Use the generative task.")

    def loglikelihood_rolling(self, docs: list[Doc]) -> list[ModelResponse]:
        raise ValueError("These tasks are scored on what an agent does, not on likelihoods. Use the generative task.")
