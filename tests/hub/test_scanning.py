"""What must not be published is found, and what only looks like it is not."""

from __future__ import annotations

import base64
import calendar
import datetime
import gzip
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kopa_hf.errors import DataError, KopaError
from kopa_hf.execution.keys import Keyring
from kopa_hf.hub.scanning import redacted, scan_files, scan_text, searched
from tests.timing import loops


def found(text: str) -> list[str]:
    return [finding.what for finding in scan_text(text, "f", "p")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("token: hf_" + "aB3" * 12, "a Hugging Face token"),
        ("AKIA" + "Z9" * 8, "an access key of a cloud"),
        ("sk-proj-" + "a1_-" * 10, "a key of a model service"),
        ("ghp_" + "q" * 36, "a token of a code host"),
        ("-----BEGIN RSA PRIVATE KEY-----", "a private key"),
        ("https://user:secret@proxy.kr/", "a password inside an address"),
        ("https://apis.data.go.kr/x?serviceKey=ab%2BcdEF12gh34IJ%3D%3D", "a service key in an address"),
        ("https://opendart.fss.or.kr/api/list.json?crtfc_key=" + "1a" * 20, "a service key in an address"),
        ("https://open.neis.go.kr/hub/schoolInfo?KEY=" + "1a" * 16 + "&Type=json", "a service key in an address"),
        ("https://open.assembly.go.kr/portal/x?Type=json&amp;Key=" + "1a" * 16, "a service key in an address"),
        ("https://data.ex.co.kr/openapi/trafficapi/trafficIc?type=json&key=1234567890", "a service key in an address"),
        ("https://www.law.go.kr/DRF/lawSearch.do?OC=hongkd&target=law", "a service key in an address"),
        ("https://www.law.go.kr/DRF/lawSearch.do?target=law%26oc%3Dhongkd", "a service key in an address"),
        ("https://h/x?a=1&ACCESS_TOKEN=" + "aB" * 9, "a service key in an address"),
        ("https://h/x?Access_Token=" + "aB" * 9, "a service key in an address"),
        ("http://openapi.seoul.go.kr:8088/" + "5a6b" * 6 + "/json/bikeList/1/5/", "a service key in a path"),
        ("http://OPENAPI.seoul.go.kr/" + "5a6b" * 6 + "/json/bikeList/1/5/", "a service key in a path"),
        ("주민등록번호 900101-1234567", "a resident registration number"),
        ("주민등록번호 040229-3234567", "a resident registration number"),  # 2004 was a leap year
        ("연락처 010-1234-5678", "a mobile telephone number"),
        ("4111-1111-1111-1111", "a card number"),  # the Luhn sum of this test number is 30
        ("담당 hong@agency.go.kr", "a mail address"),
    ],
)
def test_what_must_not_go_up_is_named(text: str, what: str) -> None:
    assert found(text)[0] == what


@pytest.mark.parametrize(
    "text",
    [
        "사업자번호 900101-12345",
        "관리번호 901301-1234567",  # no month 13
        "050229-3234567",  # 2005 was no leap year
        "4111-1111-1111-1112",  # the Luhn sum is 31
        "대표전화 02-120-1234",
        "s@sandbox.invalid, a@b.example, x@example.com, y@localhost.test",
        "@handle a@b",
        "hf_short, AKIA123, sk-short, https://host:8080/path@x",
        "법인등록번호 110111-0123456789",
        "1-010-1234-5678-9",
        "https://www.law.go.kr/DRF/lawSearch.do?OC=test&target=law, ?OC=***, ?OC={OC}",
        "http://openapi.seoul.go.kr:8088/sample/json/x/1/5/, http://openapi.seoul.go.kr:8088/***/json/x/1/5/",
        "https://x.kr/a?key=name&serviceKey=***&KEY=인증키&monkey=12345678901&apiKey=sample",
    ],
)
def test_what_only_looks_like_it_is_no_finding(text: str) -> None:
    assert found(text) == []


@given(st.from_regex(r"\d{6}-[1-8]\d{6}", fullmatch=True))
@example("900229-1234567")
@example("000229-3234567")
def test_a_resident_number_is_one_exactly_where_its_date_is_real(text: str) -> None:
    century = {"1": 1900, "2": 1900, "3": 2000, "4": 2000, "5": 1900, "6": 1900, "7": 2000, "8": 2000}[text[7]]
    year, month, day = century + int(text[:2]), int(text[2:4]), int(text[4:6])
    real = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    born = real and (year, month, day) <= datetime.date.today().timetuple()[:3]
    assert ("a resident registration number" in found(text)) == born


def test_a_finding_shows_no_more_than_its_beginning() -> None:
    (finding,) = scan_text("hf_" + "S" * 34, "card.md", "line 3")
    assert str(finding) == "card.md, line 3: a Hugging Face token (hf_S…37 characters)"


def test_cells_of_parquet_are_searched_down_to_their_leaves_and_keys_in_any_spelling(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    key = "Ab12+/cd34EF56gh78IJ90=="
    rows = [{"a": [{"deep": ["fine"]}]}, {"a": [{"deep": ["see x:Ab12%2B%2Fcd34EF56gh78IJ90%3D%3D"]}]}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet")
    keys = Keyring({"data_go_kr": key})
    findings = scan_files({"data/t.parquet": tmp_path / "t.parquet"}, keys)
    assert {(f.file, f.place, f.shown) for f in findings} >= {("data/t.parquet", "row 1, a", "data_go_kr")}
    assert scan_files({"data/t.parquet": tmp_path / "t.parquet"}) == []


@pytest.mark.parametrize("name", ["run.sh", "train.log", "notes.tsv", "page.html", "Makefile", "notes.txt.gz"])
def test_a_file_of_any_name_that_holds_text_is_searched(tmp_path: Path, name: str) -> None:
    text = f"line\nexport HF_TOKEN=hf_{'aB3' * 12}\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    (finding,) = scan_files({name: tmp_path / name})
    assert (finding.file, finding.place) == (name, "line 2")


def test_members_of_an_archive_are_searched(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "answers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("failures.jsonl", '{"message": "gildong@agency.go.kr 900101-1234568"}')
    found = scan_files({"answers.zip": tmp_path / "answers.zip"})
    assert {finding.what for finding in found} == {"a mail address", "a resident registration number"}
    assert {finding.file for finding in found} == {"answers.zip/failures.jsonl"}


TOKEN = "hf_" + "aB3" * 12


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def test_archives_in_archives_are_searched_to_a_depth(tmp_path: Path) -> None:
    deep = zipped("a.zip", zipped("b.gz", gzip.compress(zipped("c.txt", TOKEN.encode()))))
    (tmp_path / "x.zip").write_bytes(deep)
    assert [f.file for f in scan_files({"x.zip": tmp_path / "x.zip"})] == ["x.zip/a.zip/b.gz/c.txt"]
    for _ in range(2):
        deep = zipped("more.zip", deep)
    (tmp_path / "y.zip").write_bytes(deep)
    with pytest.raises(DataError, match="deeper than is searched"):
        scan_files({"y.zip": tmp_path / "y.zip"})
    (tmp_path / "z.zip").write_bytes(zipped(f"{TOKEN}.txt", b"fine"))
    assert [f.what for f in scan_files({"z.zip": tmp_path / "z.zip"})] == ["a Hugging Face token"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_text_in_utf_16_is_searched_whole(tmp_path: Path, encoding: str) -> None:
    text = "a line\n" * 400_000 + TOKEN  # behind the head that is read of a binary file
    (tmp_path / "notes.txt").write_bytes(text.encode(encoding))
    assert [f.what for f in scan_files({"notes.txt": tmp_path / "notes.txt"})] == ["a Hugging Face token"]


def test_names_of_files_and_columns_and_a_schemas_notes_are_searched(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def places(table: pa.Table) -> set[tuple[str, str]]:
        pq.write_table(table, tmp_path / "t.parquet")
        return {(f.what, f.place) for f in scan_files({"t.parquet": tmp_path / "t.parquet"})}

    plain = pa.table({"a": ["fine"]})
    assert places(plain) == set()
    assert places(pa.table({TOKEN: ["fine"]})) == {("a Hugging Face token", "the columns' names")}
    noted = plain.replace_schema_metadata({"made": f"with {TOKEN}"})
    assert places(noted) == {("a Hugging Face token", "the schema's notes")}
    (tmp_path / "f").write_text("fine")
    (named,) = scan_files({f"data/{TOKEN}.txt": tmp_path / "f"})
    assert (named.file, named.what) == ("a file's name", "a Hugging Face token")


def test_the_message_of_a_commit_is_searched(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("fine")
    with pytest.raises(KopaError, match="--message, line 1: a Hugging Face token"):
        searched({"f": tmp_path / "f"}, texts={"--message": f"pushed with {TOKEN}"})


def test_keys_of_ones_own_services_and_tokens_are_among_those_of_the_machine(tmp_path: Path) -> None:
    keys = tmp_path / "keys.toml"
    keys.write_text('dart = "d1d2d3d4d5d6d7d8"\n[own]\npetbank = "p1p2p3p4p5p6p7p8"\n')
    keys.chmod(0o600)
    environ = {
        "KOPA_MINE_KEY": "m1m2m3m4m5m6m7m8",
        "HF_TOKEN": "hf_" + "x" * 34,
        "OPENAI_API_KEY": "EMPTY",
        "KOPA_KEYS_FILE": str(keys),
    }
    ring = Keyring.of_this_machine(environ=environ)
    assert set(ring.names) == {"dart", "petbank", "mine", "HF_TOKEN"}
    (tmp_path / "notes.md").write_text("p1p2p3p4p5p6p7p8 and m1m2m3m4m5m6m7m8")
    (finding,) = scan_files({"notes.md": tmp_path / "notes.md"}, ring)
    assert set(finding.shown.split(", ")) == {"petbank", "mine"}


def test_weights_are_not_read_whole(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    with weights.open("wb") as file:
        file.write(b"\0" * 64)
        file.truncate(3 << 30)  # sparse: nothing of it is on the disk
    found = []
    spent = loops(
        lambda: found.append(scan_files({"model.safetensors": weights}, Keyring({"dart": "d1d2d3d4d5d6d7d8"})))
    )
    assert found == [[]]
    assert spent < 30


@given(
    st.text(alphabet="abcdefABCDEF0123456789+/=", min_size=16, max_size=40),
    st.binary(max_size=7),
    st.binary(max_size=7),
)
def test_a_key_is_found_inside_base64_and_hex_wherever_it_begins(key: str, before: bytes, after: bytes) -> None:
    ring = Keyring({"dart": key})
    packed = before + key.encode() + after
    for text in (base64.b64encode(packed).decode(), base64.urlsafe_b64encode(packed).decode(), packed.hex()):
        assert ring.encoded_in(f'{{"x": "{text}"}}') == ("dart",)
    assert ring.encoded_in(base64.b64encode(before + after).decode()) == ()


def test_keys_and_persons_are_masked_in_a_text_that_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOPA_DART_KEY", "0123456789abcdefghij0123456789abcdefghij")
    key = "0123456789abcdefghij0123456789abcdefghij"
    text = f"kopa eval --a {key} --b https://user:secret@h/v1#m --c hf_{'aB3' * 12} --d hong@agency.go.kr --e 900101-9234567"
    masked = "kopa eval --a *** --b ***h/v1#m --c *** --d *** --e 900101-9234567"
    assert redacted(text) == masked
    assert redacted(f"kopa eval --model x{base64.b64encode(key.encode()).decode()}") == "***", (
        "encoded: nothing is kept"
    )
    assert redacted("kopa eval --seed 1") == "kopa eval --seed 1"
