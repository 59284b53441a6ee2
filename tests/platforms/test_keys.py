"""One spelling of a key on the way out, no spelling of it on the way in."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.errors import BackendError
from kopa_hf.platforms import Answer
from kopa_hf.platforms.keys import echoes_key, encoded_key, key_forms, plain_key, redact, redact_answer, redact_pieces

# 28 characters as portals issue them in base64, invented
KEY = "Ab9+x/gasangGASANG0123456w=="
keys = st.text("ABCXYZabcxyz0123456789+/=", min_size=8, max_size=60)


@pytest.mark.parametrize("spelling", ["ab%2Bcd%3D%3D", "ab+cd==", "ab%2bcd%3d%3d", " ab+cd==\n", "ab%252Bcd%253D%253D"])
def test_every_spelling_of_a_key_goes_out_encoded_once(spelling: str) -> None:
    assert encoded_key(spelling) == "ab%2Bcd%3D%3D"
    assert plain_key(spelling) == "ab+cd=="


@given(keys)
def test_encoding_a_key_twice_is_encoding_it_once(key: str) -> None:
    assert encoded_key(encoded_key(key)) == encoded_key(key)
    assert unquote(encoded_key(key)) == plain_key(key) == key


@pytest.mark.parametrize("key", ["ab cd", "ab\r\nX-Other: 1", "열쇠", "ab%0Acd"])
def test_a_key_that_would_break_a_header_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(BackendError) as caught:
        plain_key(key)
    assert key not in str(caught.value)


@given(keys, st.text(max_size=20), st.text(max_size=20))
def test_no_spelling_of_a_key_survives(key: str, before: str, after: str) -> None:
    for form in (key, quote(key, safe=""), quote(quote(key, safe=""), safe=""), quote(key, safe="").lower()):
        masked = redact(f"{before}{form}{after}", quote(key, safe=""))
        assert key not in masked.replace("***", "")
        assert masked == redact(masked, key)


def test_a_message_keeps_its_words_and_loses_its_key() -> None:
    for form in (KEY, quote(KEY, safe=""), KEY.replace("/", "\\/")):
        for known in (KEY, quote(KEY, safe="")):
            assert redact(f"KEY={form} is not registered", known) == "KEY=*** is not registered"


def test_a_short_key_is_masked_only_where_it_stands_alone() -> None:
    assert redact("OC=test&target=law: latest test", "test") == "OC=***&target=law: latest ***"


def test_no_key_changes_nothing() -> None:
    assert redact("text", None) == redact("text", "") == "text"
    answer = Answer("auth", message="text")
    assert redact_answer(answer, None) is answer


def test_an_answer_is_masked_in_message_and_nested_records() -> None:
    answer = Answer(
        "ok", [{"link": f"/x?k={KEY}", "deep": [{"k": quote(KEY, safe="")}], "n": 3}], 1, "00", f"for {KEY}"
    )
    masked = redact_answer(answer, KEY)
    assert masked.message == "for ***"
    assert masked.records == [{"link": "/x?k=***", "deep": [{"k": "***"}], "n": 3}]
    assert (masked.outcome, masked.total_count, masked.code) == ("ok", 1, "00")


def test_an_echo_is_found_in_the_raw_body() -> None:
    assert echoes_key(f'{{"m":"{quote(KEY, safe="")}"}}'.encode(), KEY)
    assert echoes_key(b'{"m":"%s"}' % KEY.replace("/", "\\/").encode(), KEY)
    assert not echoes_key(b'{"m":"nothing"}', KEY)
    assert not echoes_key(b"anything", None)


def test_a_short_key_is_masked_before_a_korean_particle_but_not_inside_a_word() -> None:
    assert redact("사용자 hong님의 인증키 hong은 hongdae", "hong") == "사용자 ***님의 인증키 ***은 hongdae"


def test_a_key_that_comes_as_a_name_or_with_blanks_for_plus_is_masked() -> None:
    key = "Zq+Wrong/Key1234567890=="
    answer = redact_answer(Answer("ok", [{key: "v", "a": [{"b": key.replace("+", " ")}]}]), key)
    assert answer.records == [{"***": "v", "a": [{"b": "***"}]}]


@given(
    st.text("abiıİsſkKÅå%2B+가 ", max_size=30),
    st.sampled_from(["iskaskis", "ISKASKIS", "a+b+i+s+", "가가가가가가가가", "bis"]),
)
def test_the_quick_look_before_the_search_passes_over_nothing(text: str, key: str) -> None:
    for said in (text, f"{text}{key}{text}", text.join(key[:4]), f"{text}ıſKAſKıſ"):
        slow = said
        for form in key_forms(key):
            alone = rf"(?<![0-9A-Za-z_]){re.escape(form)}(?![0-9A-Za-z_])"
            slow = re.sub(re.escape(form) if len(form) >= 8 else alone, "***", slow, flags=(len(form) >= 8) * re.I)
        assert redact(said, key) == slow


@pytest.mark.parametrize(
    ("pieces", "left"),
    [
        (["my ab12", "cd34 and", " more"], ["my ***", " and", " more"]),
        (["ab", "12", "cd3", "4"], ["***", "", "", ""]),
        # one that is whole is found without its neighbours
        (["ab12cd34", "x", "ab12", "CD34ab12cd34"], ["ab12cd34", "x", "***", "ab12cd34"]),
        (["ab12", "-", "cd34"], ["ab12", "-", "cd34"]),
        (["ab12cd34ab12", "cd34ab12", "cd34"], ["ab12cd34***", "***", ""]),
        ([], []),
    ],
)
def test_a_key_that_goes_on_in_the_next_text_is_masked_where_it_began(pieces: list[str], left: list[str]) -> None:
    assert redact_pieces(pieces, ("ab12cd34",)) == left
    assert redact_pieces(pieces, None) == pieces


@given(st.lists(st.text("ab12", max_size=6), max_size=6))
def test_no_key_is_left_across_texts(pieces: list[str]) -> None:
    left = redact_pieces(pieces, "12ab12ab")
    assert len(left) == len(pieces)
    assert "12ab12ab" not in "".join(redact(piece, "12ab12ab") for piece in left)
    assert left == pieces or "12ab12ab" in "".join(pieces)
