"""A local model: batches, seeds, limits, faults, and what is read out of its text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.models import ModelError
from kopa_hf.errors import DataError, MissingExtraError
from tests.agent import tiny_chat

pytest.importorskip("torch", reason="extra `train` is not installed")
pytest.importorskip("transformers", reason="extra `train` is not installed")

from kopa_hf.agent.chat_format import find_format
from kopa_hf.agent.template import PROBE_TOOL
from kopa_hf.agent.transformers_model import LocalSettings, TransformersModel

TOOLS = [PROBE_TOOL]
CHATS = [[{"role": "user", "content": "가나다 " * length}] for length in (1, 7, 40, 3)]


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Threads that wait for each other are most of the work of a model this small."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def made(batch: int = 8, tokens: int = 8, weights: Any = None, **sampling: Any) -> TransformersModel:
    form = find_format(tiny_chat.tokenizer(), name="tiny")
    local = LocalSettings(batch=batch, max_new_tokens=tokens)
    return TransformersModel.of("tiny", weights or tiny_chat.model(), form, {}, sampling, local)


def answers(model: TransformersModel, chats: Sequence[Any] = CHATS, *, together: bool = True) -> list[Any]:
    """One reply or fault per chat, each with its place as seed."""

    async def ask() -> list[Any]:
        asked = [model.with_seed(at).complete(chat, TOOLS) for at, chat in enumerate(chats)]
        if together:
            return await asyncio.gather(*asked, return_exceptions=True)
        return [await one for one in asked]

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "sampling",
    [{}, {"temperature": 1.0}, {"temperature": 0.8, "top_p": 0.9, "top_k": 40, "repetition_penalty": 1.2}],
)
def test_a_padded_batch_says_what_each_prompt_says_alone(sampling: dict[str, Any]) -> None:
    alone = answers(made(batch=1, **sampling), together=False)
    assert answers(made(batch=4, **sampling)) == alone
    assert answers(made(batch=3, **sampling)) == alone


def test_a_seed_repeats_a_text_and_another_seed_changes_it() -> None:
    model = made(temperature=1.0)

    def says(seed: int) -> Any:
        return asyncio.run(model.with_seed(seed).complete(CHATS[0], TOOLS))

    assert says(3) == says(3)
    assert len({says(seed)["content"] for seed in range(4)}) == 4


def test_a_seed_that_was_asked_for_holds_for_every_rollout() -> None:
    model = made(temperature=1.0)
    model.fixed_seed = True
    assert model.with_seed(1) is model


def test_sampling_draws_from_the_softmax() -> None:
    """2,000 draws of one token against the model's own probabilities: the largest gap stays within sampling error."""
    import torch

    from kopa_hf.agent.decoding import Decoder, Generated, Prompt, Sampling

    weights = tiny_chat.model()
    ids = [5, 6, 7]
    with torch.inference_mode():
        wanted = torch.softmax(weights(torch.tensor([ids])).logits[0, -1].float(), dim=-1)
    decoder = Decoder(weights, Sampling(max_tokens=1, temperature=1.0), frozenset({300}), 0)
    drawn = decoder.generate([Prompt(ids, seed, 1) for seed in range(2000)])
    counts = torch.zeros(259)
    for row in drawn:
        assert isinstance(row, Generated)
        counts[row.ids[0]] += 1
    # 259 frequencies, each within five standard errors
    assert ((counts / 2000 - wanted).abs() < 5 * (wanted * (1 - wanted) / 2000).sqrt() + 1e-9).all()


def test_a_turn_ends_at_the_template_s_own_mark_and_leaves_it_out() -> None:
    model = made()
    end = model.format.tokenizer.convert_tokens_to_ids("<|im_end|>")
    assert model.format.end_of_turn == end
    weights = tiny_chat.model()
    _always(weights, end)
    assert answers(made(weights=weights), CHATS[:1]) == [{"role": "assistant", "content": ""}]


def test_a_turn_stops_at_its_number_of_tokens() -> None:
    model = made(tokens=5)
    answers(model)
    assert model.usage.completion <= 20
    weights = tiny_chat.model()
    _always(weights, model.format.tokenizer.convert_tokens_to_ids("a"))
    cut = {"role": "assistant", "content": "aaaaa", "finish_reason": "length"}
    assert answers(made(weights=weights, tokens=5), CHATS[:1]) == [cut]
    assert answers(made(weights=weights, tokens=5, max_tokens=3), CHATS[:1])[0]["content"] == "aaa"


def test_a_prompt_beyond_the_context_is_a_fault_and_one_at_its_edge_is_cut() -> None:
    weights = tiny_chat.model(context=900)
    _always(weights, tiny_chat.tokenizer().convert_tokens_to_ids("a"))
    model = made(weights=weights, tokens=50)
    chat = [{"role": "user", "content": ""}]
    length = len(model.format.tokenizer(model.format.render(chat, TOOLS))["input_ids"])
    chats = [[{"role": "user", "content": "x" * (900 - length - spare)}] for spare in (60, 4, 0, -300)]
    long, short, full, beyond = answers(model, chats)
    assert (len(long["content"]), len(short["content"])) == (50, 4)
    assert isinstance(full, ModelError)
    assert full.kind == beyond.kind == "context"
    assert "900 tokens" in str(full)


def test_logits_that_are_no_numbers_are_a_fault_of_their_row_only() -> None:
    import torch

    weights = tiny_chat.model()
    forward = weights.forward

    def sick(*args: Any, **kwargs: Any) -> Any:
        out = forward(*args, **kwargs)
        if out.logits.shape[0] > 1:
            out.logits[1] = float("nan")
        return out

    weights.forward = sick
    replies = answers(made(weights=weights, temperature=1.0))
    assert [isinstance(reply, ModelError) for reply in replies] == [False, True, False, False]
    assert replies[1].kind == "server"
    weights.forward = forward
    assert replies[:1] == answers(made(temperature=1.0))[:1]
    with torch.no_grad():
        weights.lm_head.weight.fill_(float("nan"))
    assert {reply.kind for reply in answers(made(weights=weights))} == {"server"}


def test_a_batch_that_does_not_fit_into_memory_is_halved_and_one_prompt_that_does_not_is_a_fault() -> None:
    import torch

    wanted = answers(made())
    weights = tiny_chat.model()
    forward, sizes = weights.forward, []

    def narrow(*args: Any, **kwargs: Any) -> Any:
        sizes.append(kwargs["input_ids"].shape[0])
        if sizes[-1] > limit:
            raise torch.OutOfMemoryError("no memory")
        return forward(*args, **kwargs)

    weights.forward = narrow
    limit = 1
    assert answers(made(weights=weights)) == wanted
    assert sizes[:3] == [4, 2, 1]
    limit = 0
    assert all("out of memory" in str(reply) for reply in answers(made(weights=weights)))


def test_a_model_whose_code_fails_is_a_fault() -> None:
    weights = tiny_chat.model()

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("kernel")

    weights.forward = broken
    (reply,) = answers(made(weights=weights), CHATS[:1])
    assert isinstance(reply, ModelError)
    assert "kernel" in str(reply)


def test_one_model_serves_several_event_loops_and_asks_once_for_a_batch() -> None:
    weights = tiny_chat.model()
    generate, batches = weights.generate, []

    def counted(**kwargs: Any) -> Any:
        batches.append(kwargs["input_ids"].shape[0])
        return generate(**kwargs)

    weights.generate = counted
    model = made(weights=weights)
    assert answers(model) == answers(model)
    assert batches == [4, 4]


def test_a_run_that_is_given_up_stops_generating() -> None:
    weights = tiny_chat.model()
    _always(weights, tiny_chat.tokenizer().convert_tokens_to_ids("a"))
    model = made(weights=weights, tokens=1500)

    async def impatient() -> None:
        await asyncio.wait_for(model.complete(CHATS[0], TOOLS), 0.3)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    made_tokens = asyncio.run(made(weights=weights, tokens=3).complete(CHATS[0], TOOLS))
    assert made_tokens["content"] == "aaa"


@pytest.mark.parametrize(
    ("sampling", "what"),
    [
        ({"best_of": 2}, "no setting 'best_of'"),
        ({"temperature": "hot"}, "must be a number"),
        ({"temperature": -1}, "temperature at least 0"),
        ({"max_tokens": 0.5}, "whole number"),
        ({"top_p": 0}, "top_p above 0"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"chat_template_kwargs": 1}, "must be an object"),
    ],
)
def test_settings_that_mean_nothing_are_refused(sampling: dict[str, Any], what: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=what):
        TransformersModel.load(tmp_path, sampling=sampling)


def _always(weights: Any, token: int) -> None:
    """Make a model say one token for ever, whatever it is asked."""
    forward = weights.forward

    def fixed(*args: Any, **kwargs: Any) -> Any:
        out = forward(*args, **kwargs)
        out.logits.fill_(0.0)
        out.logits[..., token] = 1.0
        return out

    weights.forward = fixed


# from files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "tiny-chat"
    tiny_chat.model().save_pretrained(path)
    tiny_chat.tokenizer().save_pretrained(path)
    return path


def test_a_saved_folder_answers_like_the_model_it_was_saved_from(folder: Path) -> None:
    model = TransformersModel.load(folder, local=LocalSettings(device="cpu", max_new_tokens=8))
    assert model.name == "tiny-chat"
    assert answers(model) == answers(made())
    assert model.settings == {
        "weights": model.settings["weights"], "device": "cpu", "dtype": "float32", "context": None,
        "tool_prompt": False, "reader": "own", "max_tokens": 8, "temperature": 0.0, "top_p": 1.0, "top_k": 0,
        "min_p": 0.0, "repetition_penalty": 1.0,
    }  # fmt: skip


def test_other_weights_of_the_same_name_have_another_fingerprint(folder: Path, tmp_path: Path) -> None:
    import torch

    other = tmp_path / folder.name
    weights = tiny_chat.model()
    with torch.no_grad():
        weights.model.norm.weight += 1
    weights.save_pretrained(other)
    tiny_chat.tokenizer().save_pretrained(other)
    loaded = [TransformersModel.load(path).settings["weights"] for path in (folder, folder, other)]
    assert loaded[0] == loaded[1] != loaded[2]


def test_what_the_model_recommends_for_sampling_holds_unless_something_else_is_asked_for(tmp_path: Path) -> None:
    weights = tiny_chat.model()
    weights.generation_config.update(do_sample=True, temperature=0.6, top_k=20, repetition_penalty=1.1)
    weights.save_pretrained(tmp_path)
    tiny_chat.tokenizer().save_pretrained(tmp_path)
    own = TransformersModel.load(tmp_path).sampling
    assert (own.temperature, own.top_k, own.top_p, own.repetition_penalty) == (0.6, 20, 1.0, 1.1)
    asked = TransformersModel.load(tmp_path, sampling={"temperature": 0}).sampling
    assert (asked.temperature, asked.top_k) == (0, 20)


def test_without_tools_any_template_will_do_and_text_comes_back_plain(folder: Path, tmp_path: Path) -> None:
    template = tmp_path / "plain.jinja"
    template.write_text(tiny_chat.NO_TOOLS, encoding="utf-8")
    local = LocalSettings(chat_template=template, max_new_tokens=4)
    model = TransformersModel.load(folder, local=local, tools=False)
    assert set(asyncio.run(model.complete(CHATS[0], []))) == {"role", "content", "finish_reason"}


def test_files_that_are_no_model_are_refused_with_what_is_wrong(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / "two" / name).write_bytes(b"GGUF")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}", encoding="utf-8")
    for path, what in (
        (tmp_path / "none", "neither a folder with config.json nor a .gguf file"),
        (tmp_path, "No model at"),
        (tmp_path / "two", "holds 2 GGUF files"),
        (tmp_path / "broken", "cannot be loaded"),
    ):
        with pytest.raises(DataError, match=what):
            TransformersModel.load(path)
    for local, what in (
        (LocalSettings(dtype="int3"), "No dtype"),
        (LocalSettings(device="abacus"), "cannot go to device"),
        (LocalSettings(batch=0), "at least 1"),
        (LocalSettings(chat_template=tmp_path / "none.jinja"), "cannot be read"),
    ):
        with pytest.raises(DataError, match=what):
            TransformersModel.load(folder, local=local)


def test_a_missing_package_is_named_with_the_extra_that_brings_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kopa_hf.agent.local_weights.find_spec", lambda package: None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[train\]'"):
        TransformersModel.load(folder)


def test_code_that_comes_with_a_model_is_not_run(tmp_path: Path) -> None:
    config = '{"model_type": "own", "auto_map": {"AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.Own"}}'
    (tmp_path / "config.json").write_text(config, encoding="utf-8")
    (tmp_path / "own.py").write_text("raise SystemExit('this code ran')", encoding="utf-8")
    tiny_chat.tokenizer().save_pretrained(tmp_path)
    with pytest.raises(DataError, match="not run unless --trust-remote-code"):
        TransformersModel.load(tmp_path)
