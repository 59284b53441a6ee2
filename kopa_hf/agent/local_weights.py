"""Loading a language model from this machine: a folder as Transformers saves it, or a GGUF file."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

from kopa_hf.errors import DataError, MissingExtraError

T = TypeVar("T")

_EXTRA: Final = "train"
_DTYPES: Final = ("auto", "float32", "bfloat16", "float16")
_SAMPLED_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where a model lies."""

    folder: Path
    gguf: str | None = None
    """Name of the GGUF file in `folder`; None: configuration and safetensors."""

    @property
    def name(self) -> str:
        """What reports call the model."""
        return Path(self.gguf).stem if self.gguf else self.folder.resolve().name

    @property
    def fingerprint(self) -> str:
        """12 hex digits that tell other weights, configurations and templates of the same name apart.

        Small files count in full, weights by name, size and both ends.
        """
        digest = hashlib.sha256()
        paths = [self.folder / self.gguf] if self.gguf else sorted(self.folder.glob("*"))
        for path in paths:
            if not path.is_file() or path.name.startswith(".") or path.suffix in (".md", ".txt"):
                continue
            size = path.stat().st_size
            digest.update(f"{path.name}/{size}/".encode())
            with path.open("rb") as file:
                digest.update(file.read(_SAMPLED_BYTES))
                file.seek(max(size - _SAMPLED_BYTES, 0))
                digest.update(file.read())
        return digest.hexdigest()[:12]


def find_model(path: Path) -> ModelFiles:
    """The model at a folder or GGUF file. Raises `DataError` where there is none."""
    if path.is_file() and path.suffix == ".gguf":
        return ModelFiles(path.parent, path.name)
    if path.is_dir():
        if (path / "config.json").is_file():
            return ModelFiles(path)
        ggufs = sorted(path.glob("*.gguf"))
        if len(ggufs) == 1:
            return ModelFiles(path, ggufs[0].name)
        if ggufs:
            raise DataError(f"{path.name} holds {len(ggufs)} GGUF files; name one of them.")
    raise DataError(f"No model at {path}: neither a folder with config.json nor a .gguf file.")


def load_tokenizer(files: ModelFiles, *, trust_remote_code: bool = False) -> Any:
    """The tokenizer, padding on the left; nothing is downloaded."""
    require_transformers(files)
    from transformers import AutoTokenizer

    tokenizer = _load(files, AutoTokenizer.from_pretrained, trust_remote_code=trust_remote_code)
    tokenizer.padding_side = "left"
    return tokenizer


def load_weights(files: ModelFiles, *, device: str, dtype: str, trust_remote_code: bool = False) -> Any:
    """The model, ready to generate on `device` (auto: CUDA where there is one, else the CPU).

    dtype auto: bfloat16 on CUDA, float32 on the CPU, where the short type is slower.
    """
    require_transformers(files)
    import torch
    from transformers import AutoModelForCausalLM

    if dtype not in _DTYPES:
        raise DataError(f"No dtype {dtype!r}; there are {', '.join(_DTYPES)}.")
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if dtype == "auto":
        dtype = "bfloat16" if device.startswith("cuda") else "float32"
    model = _load(
        files,
        AutoModelForCausalLM.from_pretrained,
        trust_remote_code=trust_remote_code,
        dtype=getattr(torch, dtype),
    )
    if files.gguf:
        model = _plain(model)
    try:
        if model.device != torch.device(device):
            model = model.to(device)
    except (RuntimeError, AssertionError, ValueError) as error:
        raise DataError(f"{files.name} cannot go to device {device!r}: {error}") from error
    model.eval()
    return model


def _plain(model: Any) -> Any:
    """A model read from GGUF without the mark of its quantization: it may move between devices and be saved.

    The weights were made floats while they were read; what stays behind is the mark alone.
    """
    config = copy.deepcopy(model.config)
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    plain = type(model)(config).to(model.dtype)
    plain.load_state_dict(model.state_dict())
    plain.generation_config = model.generation_config
    return plain


def require_transformers(files: ModelFiles) -> None:
    """Say how to install what a local model needs where it is missing."""
    for package in ("torch", "transformers", *(("gguf",) if files.gguf else ())):
        if find_spec(package) is None:
            raise MissingExtraError(package, _EXTRA)


def _load(files: ModelFiles, load: Callable[..., Any], **settings: Any) -> Any:
    """What a loader makes of the files; whatever it finds wrong with them is wrong input."""
    if files.gguf:
        settings["gguf_file"] = files.gguf
    try:
        return load(files.folder, local_files_only=True, **settings)
    except Exception as error:
        if "trust_remote_code" in str(error):
            raise DataError(
                f"{files.name} comes with code of its own, which is not run unless --trust-remote-code allows it."
            ) from error
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"{files.name} cannot be loaded ({type(error).__name__}): {first[:300]}") from error
