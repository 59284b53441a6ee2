"""One training run, whatever its method: checked rows, a proven template, a preflight, safe stops."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import httpx

from kopa_hf.errors import BackendError, DataError, KopaError, MissingExtraError
from kopa_hf.train.dataset import EMBEDDED, load_rows, validation_rows
from kopa_hf.train.disk import (
    checkpoints_to_come,
    demand_disk,
    disk_callback,
    is_whole,
    last_whole,
    model_bytes,
    steps_done,
)
from kopa_hf.train.dry_run import dry_run
from kopa_hf.train.estimate import count_tokens, length_problems, spread
from kopa_hf.train.guard import StoppedError
from kopa_hf.train.preflight import Check, Plan, PreflightError, check_apart, demand
from kopa_hf.train.settings import Method, Settings, parse_settings
from kopa_hf.train.templates import set_template

INCOMPLETE: Final = "_incomplete-"
"""Put before the name of a checkpoint that could not be written whole; a push to the Hub leaves such names out."""
_TAGS: Final = ("kopa", "tool-use", "korean")
"""Of the model's card."""


def command(method: Method, build: Callable[[Settings, Any, Any, Any], Any], argv: Sequence[str] | None) -> int:
    """Run one method from its arguments; errors become one line and an exit code.

    0 done; 1 refused or stopped because nothing would be learned; 2 wrong input; 3 a backend failed or a disk is full.
    """
    try:
        settings = parse_settings(method, argv)
        if settings.kopa.dry_run:
            return dry_run(method, settings)
        run(method, settings, build)
    except StoppedError as error:
        return _fail(error, 1 if error.cause == "equal_rewards" else 3)
    except PreflightError as error:
        return _fail(error, 1)
    except BackendError as error:
        return _fail(error, 3)
    except KopaError as error:
        return _fail(error, 2)
    return 0


def _fail(error: KopaError, code: int) -> int:
    sys.stderr.write(f"Error: {error}\n")
    return code


def run(method: Method, settings: Settings, build: Callable[[Settings, Any, Any, Any], Any]) -> Any:
    """Train, save and, where asked, publish. Returns the trainer.

    `build(settings, train_rows, eval_rows, tokenizer)` makes the method's trainer. Raises DataError,
    PreflightError and StoppedError; what was checkpointed before stays.
    """
    from safetensors import SafetensorError

    script, training = settings.script, settings.training
    if getattr(training, "use_vllm", False) and find_spec("vllm") is None:
        raise MissingExtraError("vllm", "vllm")
    checkpoint = last_checkpoint(training)
    rows = load_rows(script.dataset_name, script.dataset_train_split, config=script.dataset_config)
    held_out = None
    if training.eval_strategy != "no":
        held_out = validation_rows(script.dataset_name, script.dataset_test_split)
    tokenizer = load_tokenizer(method, settings)
    _demand_room(method, settings, rows, tokenizer)
    if settings.kopa.preflight:
        demand(_preflight(method, settings))
    try:
        trainer = build(settings, rows, held_out, tokenizer)
    except ValueError as error:
        # TRL's own checks of batch sizes, templates and modes
        raise DataError(f"TRL refuses these settings: {error}") from error
    except (OSError, httpx.HTTPError) as error:
        # a folder without weights, a Hub that cannot be reached or refuses the token
        raise DataError(f"The model cannot be loaded, or its repository not made: {_first_line(error)}") from error
    disk = _watch_disk(trainer, settings, steps_done(Path(checkpoint)) if checkpoint else 0)
    try:
        trainer.train(resume_from_checkpoint=checkpoint)
    except Exception as error:
        broken = None if isinstance(error, KopaError) else set_aside(Path(training.output_dir))
        if broken is None:
            raise
        raise StoppedError(
            "disk",
            f"A checkpoint could not be written ({_first_line(error)}); what there was of it is in {broken}. "
            + (
                "Free space there and go on with --resume_from_checkpoint true: earlier checkpoints are whole."
                if last_whole(Path(training.output_dir))
                else "Free space there and start again: no earlier checkpoint is whole."
            ),
        ) from error
    stopped = disk.stopped or getattr(getattr(trainer, "kopa_guard", None), "stopped", None)
    if stopped is not None:
        raise stopped
    try:
        _keep(trainer, settings)
    except (OSError, SafetensorError) as error:
        # safetensors tells of a full disk by an error of its own
        raise StoppedError(
            "disk",
            f"Training is done, but its model could not be written to {training.output_dir} ({_first_line(error)}). "
            + (
                "Whole checkpoints are there; free space and save it with --resume_from_checkpoint true."
                if last_whole(Path(training.output_dir))
                else "No whole checkpoint is there to save it from: free space and train again."
            ),
        ) from error
    _publish(trainer, settings)
    return trainer


def _watch_disk(trainer: Any, settings: Settings, done: int) -> Any:
    """Demand room for the checkpoints and the final model, and have it asked again before each checkpoint.

    done: steps of the checkpoint that the run goes on from.
    """
    training = settings.training
    sharded = bool(trainer.is_deepspeed_enabled or trainer.is_fsdp_enabled)
    whole = not getattr(training, "save_only_model", False)
    one = model_bytes(trainer.model, sharded=sharded, optimizer=whole)
    if trainer.accelerator.is_local_main_process:
        # what an earlier run that was killed left behind is no failure of this one
        while set_aside(Path(training.output_dir)):
            continue
        final = model_bytes(trainer.model, sharded=False, optimizer=False)
        demand_disk(training, one, final, checkpoints_to_come(training, _steps_of_an_epoch(trainer), done))
    watch = disk_callback(Path(training.output_dir), one)
    trainer.add_callback(watch)
    return watch


def _steps_of_an_epoch(trainer: Any) -> int | None:
    """Optimizer steps for one pass over the rows; None where nobody knows how many rows there are."""
    training, rows = trainer.args, trainer.train_dataset
    if not hasattr(rows, "__len__"):
        return None
    # GRPO takes each row so many times
    times = getattr(training, "num_generations", 1) * getattr(training, "num_iterations", 1)
    return math.ceil(len(rows) * times / trainer.get_total_train_batch_size(training))


def load_tokenizer(method: Method, settings: Settings) -> Any:
    """The model's tokenizer with a template that TRL knows and that carries calls."""
    from transformers import AutoTokenizer

    model = settings.model
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            model.model_name_or_path,
            revision=model.model_revision,
            trust_remote_code=getattr(settings.training, "trust_remote_code", False),
        )
    except (OSError, ValueError) as error:
        raise DataError(f"No tokenizer in {model.model_name_or_path}: {_first_line(error)}") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    set_template(tokenizer, settings.kopa.chat_template, method=method)
    return tokenizer


def model_options(settings: Settings) -> dict[str, Any]:
    """Keyword arguments with which a trainer loads the model, as TRL's own scripts pass them."""
    model, training = settings.model, settings.training
    options = {
        "revision": model.model_revision,
        "attn_implementation": model.attn_implementation,
        "dtype": model.dtype,
        "trust_remote_code": getattr(training, "trust_remote_code", False),
    }
    return options | (training.model_init_kwargs or {})


def last_checkpoint(training: Any) -> str | None:
    """The checkpoint to resume from: a folder, or the last whole one where the argument only says yes."""
    asked = training.resume_from_checkpoint
    if asked is None or str(asked).lower() in ("", "false"):
        return None
    if str(asked).lower() != "true":
        if not is_whole(Path(asked)):
            raise DataError(f"{asked} is no whole checkpoint: it has no readable trainer_state.json.")
        return str(asked)
    found = last_whole(Path(training.output_dir))
    if found is None:
        raise DataError(f"Nothing to resume: {training.output_dir} holds no whole checkpoint.")
    return str(found)


def set_aside(output: Path) -> Path | None:
    """Rename a checkpoint that was not written whole, so that no resume takes it; None where there is none.

    One of the same step that was set aside earlier makes room for it.
    """
    for path in output.glob("checkpoint-*"):
        if path.is_dir() and not is_whole(path):
            aside = path.with_name(INCOMPLETE + path.name)
            shutil.rmtree(aside, ignore_errors=True)
            return path.rename(aside)
    return None


def _demand_room(method: Method, settings: Settings, rows: Any, tokenizer: Any) -> None:
    """Refuse a run whose longest golden runs could never be reached."""
    arguments = getattr(settings.training, "chat_template_kwargs", None) or {}
    tokens = count_tokens(spread(rows, 40), tokenizer, arguments)
    problems = length_problems(method, settings, tokens, None)
    if problems:
        raise DataError("Golden runs do not fit: " + "; ".join(problems) + ". Raise the limit, or drop such rows.")


def _preflight(method: Method, settings: Settings) -> list[Check]:
    """The preflight, run once for all processes."""
    from accelerate import PartialState
    from accelerate.utils import broadcast_object_list

    script, training = settings.script, settings.training
    plan = Plan(
        dataset=script.dataset_name,
        split=script.dataset_train_split,
        config=script.dataset_config,
        tokenizer=settings.model.model_name_or_path,
        template=settings.kopa.chat_template,
        template_args=getattr(training, "chat_template_kwargs", None),
        max_completion_length=training.max_completion_length if method == "grpo" else None,
        rows=settings.kopa.preflight_rows,
        max_errors=settings.kopa.max_environment_errors,
        trust_remote_code=getattr(training, "trust_remote_code", False),
    )
    state = PartialState()
    told: list[Any] = [None]
    if state.is_main_process:
        try:
            told = [check_apart(plan)]
        except PreflightError as error:
            told = [[Check("preflight", False, str(error))]]
        for check in told[0]:
            sys.stderr.write(f"preflight  {'ok  ' if check.passed else 'FAIL'}  {check.name}: {check.says}\n")
    broadcast_object_list(told)
    return list(told[0])


def _keep(trainer: Any, settings: Settings) -> None:
    """The final model, its tokenizer and card."""
    training = settings.training
    plugin = getattr(trainer.accelerator.state, "fsdp_plugin", None)
    if plugin is not None:
        # checkpoints are sharded, for resuming; saved like that the final model would hold no weights at all
        plugin.set_state_dict_type("FULL_STATE_DICT")
    trainer.save_model(training.output_dir)
    dataset = _published_name(settings.script.dataset_name)
    if trainer.accelerator.is_main_process:
        trainer.create_model_card(dataset_name=dataset, tags=list(_TAGS))


def _publish(trainer: Any, settings: Settings) -> None:
    """The final model on the Hub, where asked."""
    training, name = settings.training, settings.script.dataset_name
    if not training.push_to_hub:
        return
    try:
        trainer.push_to_hub(dataset_name=_published_name(name), tags=list(_TAGS))
    except (OSError, httpx.HTTPError) as error:
        raise KopaError(
            f"The model is trained and whole in {training.output_dir}, but could not be pushed: {_first_line(error)}. "
            f"Push it later with `hf upload {trainer.hub_model_id or 'REPOSITORY'} {training.output_dir} "
            '--exclude "checkpoint-*/*" --exclude "_*"`.'
        ) from error


def _published_name(dataset: str) -> str | None:
    """A dataset's name for a card; a folder is no name that a card on the Hub may point to."""
    return None if Path(dataset).exists() or dataset == EMBEDDED else dataset


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
