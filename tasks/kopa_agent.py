"""The agent behind `lighteval custom`: it loops over tool calls and answers with its transcript.

lighteval's model NAME says who acts:
  policy:gold, policy:null, …           a scripted policy of the benchmark
  http://127.0.0.1:8000/v1#MODEL        a model behind an OpenAI-compatible endpoint
"""

from __future__ import annotations

import json
from typing import Any

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
from lighteval.utils.cache_management import SampleCache

from kopa_hf.bench.model_policy import policy_named, transcript
from kopa_hf.bench.rows import row_from_dict
from kopa_hf.bench.runner import open_session
from kopa_hf.execution.executor import Executor


class KopaAgentModel(LightevalModel):
    """Answers each document with the transcript of one rollout."""

    is_async = False

    def __init__(self, config: Any) -> None:
        self.config = config
        # lighteval reads the attribute; answers are not cached by name, since an agent's tools may have changed
        self._cache = SampleCache(config)
        self._executor = Executor()
        self._agent = policy_named(config.model_name)

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
        return [ModelResponse(text=[json.dumps(self._transcript(doc), ensure_ascii=False)]) for doc in docs]

    def _transcript(self, doc: Doc) -> list[dict[str, Any]]:
        row = row_from_dict(json.loads(doc.specific["row"]))
        session = open_session(row, self._executor)
        return transcript(session, self._agent.run(row, session))

    def loglikelihood(self, docs: list[Doc]) -> list[ModelResponse]:
        raise ValueError("KOPA-Bench is scored on what an agent does, not on likelihoods. Use the generative task.")

    def loglikelihood_rolling(self, docs: list[Doc]) -> list[ModelResponse]:
        raise ValueError("KOPA-Bench is scored on what an agent does, not on likelihoods. Use the generative task.")
