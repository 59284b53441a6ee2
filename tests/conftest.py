"""A closed world: no test reads a user's caches, tokens or keys, and none may reach a hub."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest

# before any library reads them; `datasets` and `huggingface_hub` do so at import
_HOME = tempfile.mkdtemp(prefix="kopa-tests-")
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
os.environ.update(
    HF_HOME=_HOME,
    HF_HUB_OFFLINE="1",
    HF_DATASETS_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_DATASETS_DISABLE_PROGRESS_BARS="1",
    TOKENIZERS_PARALLELISM="false",
    TRL_EXPERIMENTAL_SILENCE="1",
    WANDB_DISABLED="true",
    # keys and counts of live calls: never the user's own
    XDG_CONFIG_HOME=os.path.join(_HOME, "config"),
    XDG_STATE_HOME=os.path.join(_HOME, "state"),
    XDG_CACHE_HOME=os.path.join(_HOME, "cache"),
)
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # a shell that runs the tests in the background has Ctrl-C ignored, for every program that they start too
    signal.signal(signal.SIGINT, signal.default_int_handler)
for _name in [name for name in os.environ if name.startswith("KOPA_") or name in ("HF_TOKEN", "OPENAI_API_KEY")]:
    del os.environ[_name]


@pytest.fixture(autouse=True)
def _own_datasets_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test builds datasets from nothing, in a cache of its own."""
    cache = tmp_path / "datasets-cache"
    # child processes read the variable; this process read it when it imported `datasets`
    monkeypatch.setenv("HF_DATASETS_CACHE", str(cache))
    config = sys.modules.get("datasets.config")
    if config is not None:
        monkeypatch.setattr(config, "HF_DATASETS_CACHE", cache)
