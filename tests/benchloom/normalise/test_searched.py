"""What was searched is not searched again, and what else there is is never passed over."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pytest

from benchloom.normalise.redaction import cells, scan_text, tables, texts
from benchloom.normalise.redaction.cells import Cell, CellRedactor, not_known
from benchloom.normalise.redaction.json_cells import redact_json
from benchloom.normalise.redaction.searched import (
    Searched,
    SearchStore,
    keep_searches,
    knowing,
    knowledge,
    looked_at,
    remembering,
    searched_texts,
    store,
    text_digest,
)
from benchloom.normalise.redaction.searched.digests import Digests
from benchloom.normalise.redaction.searched.store import read_known
from benchloom.records import ICloudRecord, Listing, Rejected
from benchloom.release.redacting import TablePart, redact_parts
from benchloom.tables import TableDefinition, TableWriter, load_table, read_rows
from benchloom.tables.arrays import record_batch
from benchloom.tables.digests import row_digests
from tests.benchloom.withholding import samples

CLEAN = ("a walk along the harbour", "the second bench on the left")
SECRET = "write to anna.berg@nordhafen-post.de today"


Record = TypeVar("Record", Rejected, ICloudRecord, Listing)


@pytest.fixture(autouse=True)
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are searched; what this process remembers of others is put aside."""
    found: list[str] = []
    search = texts._found

    def noted(text: str, *, rendered: bool) -> object:
        found.append(text)
        return search(text, rendered=rendered)

    monkeypatch.setattr(texts, "_found", noted)
    monkeypatch.setattr(texts, "_scan_short", lambda text: texts._scan(text, rendered=False))
    return found


def look(folder: Path, *words: str) -> list[bool]:
    store._whole.cache_clear()  # as another process
    with remembering(folder, "test"):
        return [bool(scan_text(text)) for text in words]


def test_a_text_is_searched_once_whatever_it_holds(tmp_path: Path, searches: list[str]) -> None:
    assert look(tmp_path, *CLEAN, SECRET) == [False, False, True]
    assert look(tmp_path, *CLEAN, SECRET) == [False, False, True]
    assert searches == [*CLEAN, SECRET]
    assert look(tmp_path, CLEAN[0] + "!", SECRET + "!") == [False, True]
    assert searches[3:] == [CLEAN[0] + "!", SECRET + "!"]
    assert SECRET.encode() not in b"".join(p.read_bytes() for p in tmp_path.iterdir())


def test_a_user_forgets_what_it_did_not_meet_again(tmp_path: Path, searches: list[str]) -> None:
    look(tmp_path, *CLEAN, SECRET)
    look(tmp_path, CLEAN[0])
    look(tmp_path, *CLEAN, SECRET)
    assert searches == [*CLEAN, SECRET, CLEAN[1], SECRET]


def test_a_user_leaves_what_this_process_knew_from_another(
    tmp_path: Path, searches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "_long", {})
    long = [f"{words} {'and on it goes ' * 50}" for words in (*CLEAN, SECRET)]
    look(tmp_path / "one", *long)
    assert look(tmp_path / "two", *long) == [False, False, True]
    assert searches == long
    texts._long.clear()
    assert look(tmp_path / "two", *long) == [False, False, True]
    assert searches == long


def test_of_a_page_only_the_entries_that_changed_are_searched(
    tmp_path: Path, searches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "_long", {})
    entries = [f'<li id="e{n}">\n<p>{words}</p></li>\n' for n, words in enumerate(CLEAN)]
    with_secret = f'<li id="e9">\n<p>{SECRET}</p></li>\n'

    def found(*parts: str) -> list[str]:
        page = "<ul>\n" + "".join(parts)
        with remembering(tmp_path, "test"):
            spans = scan_text(page, rendered=True)
        texts._long.clear()
        return [page[span.start : span.end] for span in spans]

    assert found(*entries) == []
    assert "".join(searches) == "<ul>\n" + "".join(entries)
    searches.clear()
    assert found(with_secret, *entries) == ["anna.berg@nordhafen-post.de"]
    assert searches == [with_secret]
    searches.clear()
    assert found(*entries, with_secret) == ["anna.berg@nordhafen-post.de"]
    assert searches == []


def test_others_know_what_this_user_has_not_met_so_far(tmp_path: Path, searches: list[str]) -> None:
    look(tmp_path, *CLEAN, SECRET)
    with remembering(tmp_path, "test"):
        kept = keep_searches(with_known=True)
        assert kept is not None
        assert kept.folder == tmp_path
        known = read_known(tmp_path)
        assert len(known.whole | known.newer) == len(CLEAN)
        assert len(known.found) == 1
    searches.clear()
    look(tmp_path, *CLEAN)  # at the end only what was met was kept
    assert searches == [*CLEAN]


def test_without_a_store_everything_is_searched(tmp_path: Path, searches: list[str]) -> None:
    look(tmp_path, *CLEAN)
    with knowing(None):
        assert not scan_text(CLEAN[0])
        assert keep_searches() is None
    with knowing(SearchStore(tmp_path, 0)):
        assert not scan_text(CLEAN[1])
    assert searches == [*CLEAN, CLEAN[0]]


def test_every_flipped_byte_costs_the_searches_again(tmp_path: Path, searches: list[str]) -> None:
    look(tmp_path, *CLEAN, SECRET)
    for path in tmp_path.iterdir():
        whole = path.read_bytes()
        lost = [SECRET] if path.suffix == ".found" else [*CLEAN]
        for place in range(0, len(whole), 5):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            searches.clear()
            assert look(tmp_path, *CLEAN, SECRET) == [False, False, True]
            assert searches == lost


def test_a_cell_is_read_once_and_what_its_values_hold_always_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked: list[str] = []

    def noted(text: str, search: Any) -> Cell:
        walked.append(text)
        return redact_json(text, search)

    monkeypatch.setattr(cells, "redact_json", noted)
    clean, held = '["a walk", 7]', msgspec.json.encode([SECRET]).decode()
    home = '["meet me at 12 Baker Street"]'
    first: list[Cell] = []
    second: list[Cell] = []
    for answers in (first, second):
        with remembering(tmp_path, "test"):
            one = CellRedactor(["12 Baker Street"])
            for show in (one.plain, one.ident, one.public, one.path):
                answers += [show(clean), show(held), show(home)]
        if answers is first:
            assert clean in walked
            walked.clear()
    assert first == second
    assert clean not in walked
    assert all(SECRET not in shown for shown, _ in first)


def test_rows_of_equal_values_have_one_digest_and_others_have_others() -> None:
    rows: list[dict[str, object]] = [
        {"a": None, "b": ["x"]},
        {"a": "", "b": ["x"]},
        {"a": None, "b": ["x", ""]},
    ]
    digests = row_digests(pa.RecordBatch.from_pylist([*rows, rows[0]]))
    assert digests[0] == digests[3]
    told = {looked_at(row, how) for row in digests for how in (b"gate", b"other")}
    assert len(told) == 6


def test_a_store_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert look(tmp_path / "file" / "store", *CLEAN, SECRET) == [False, False, True]


def names(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.iterdir()}


def test_what_comes_later_is_written_by_itself(tmp_path: Path, searches: list[str]) -> None:
    """Where a look is passed over nothing is forgotten: then little is written for little."""
    one, other = b"1" * 16, b"2" * 16
    with remembering(tmp_path, "test"):
        assert not any(scan_text(text) for text in CLEAN)
        known = searched_texts()
        assert known is not None
        known.add_look(one)
    before = names(tmp_path)
    assert before.keys() == {"test.texts", "test.found", "test.looks"}
    for text in ("a third text", "a fourth text"):
        store._whole.cache_clear()
        with remembering(tmp_path, "test"):
            known = searched_texts()
            assert known is not None
            assert known.passes_over(one)
            assert not known.passes_over(other)
            assert not scan_text(text)
    after = names(tmp_path)
    assert after["test.texts"] == before["test.texts"]
    assert after["test.newer"] == before["test.texts"]  # two texts in each of them
    searches.clear()
    look(tmp_path, *CLEAN, "a third text", "a fourth text")
    assert searches == []
    assert "test.newer" not in names(tmp_path)  # what was met is one whole
    look(tmp_path, *CLEAN, "a third text", "a fourth text")
    assert searches == []


def test_much_that_comes_later_becomes_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge, "_LEAST_NEWER", 3)
    texts = [number.to_bytes(16) for number in range(20)]
    one = b"1" * 16
    with remembering(tmp_path, "test"):
        for text in texts[:8]:
            _known().add(text)
        _known().add_look(one)
    for start, newer in ((8, 3), (11, 0), (15, 2)):
        store._whole.cache_clear()
        with remembering(tmp_path, "test"):
            assert _known().passes_over(one)
            for text in texts[start : start + (newer or 4)]:
                _known().add(text)
        assert len(read_known(tmp_path).newer) == newer
        assert read_known(tmp_path).whole | read_known(tmp_path).newer == {
            *texts[: start + (newer or 4)]
        }


def _known() -> Searched:
    known = searched_texts()
    assert known is not None
    return known


def test_what_others_know_is_read_once_it_is_worth_it(
    tmp_path: Path, searches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge, "_MOST_UNKNOWN", 3)
    told = [f"the bench with the number {number}" for number in range(9)]
    with remembering(tmp_path, "other"):
        assert not any(scan_text(text) for text in told)
    with remembering(tmp_path, "test"):
        assert not scan_text(CLEAN[0])
    searches.clear()
    store._whole.cache_clear()
    with remembering(tmp_path, "test", little=True):
        assert not any(scan_text(text) for text in (CLEAN[0], *told))
    assert searches == told[:2]


@pytest.mark.parametrize("rows", [["a walk", SECRET], [SECRET, "a walk"], ["a walk", "a ride"]])
def test_of_a_new_file_only_new_row_groups_are_searched(
    tmp_path: Path, rows: list[str], searches: list[str]
) -> None:
    def redacted(name: str, messages: list[str]) -> list[str]:
        path = tmp_path / f"{name}.parquet"
        with TableWriter("rejected", path) as writer:
            for message in messages:
                row = Rejected("parse", "a.plist", "broken", message)
                writer.add_table(
                    pa.Table.from_batches([record_batch(load_table("rejected"), [row])])
                )
        part = TablePart("rejected", path, tmp_path / f"{name}.out.parquet")
        with remembering(tmp_path / "store", "test"):
            (found,) = redact_parts([part], CellRedactor())
        return [str(one) for one in read_rows(found).column("message").to_pylist()]

    assert redacted("first", ["a walk", "a bench"]) == ["a walk", "a bench"]
    searches.clear()
    found = redacted("second", rows)
    assert found == [
        text.replace("anna.berg@nordhafen-post.de", "[redacted:email]") for text in rows
    ]
    assert "a walk" not in searches


def test_more_than_is_kept_is_searched_again(
    tmp_path: Path, searches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (knowledge, store):
        monkeypatch.setattr(module, "MOST_KNOWN", 4)
    told = [f"the bench with the number {number}" for number in range(9)]
    assert not any(look(tmp_path, *told))
    assert len(read_known(tmp_path).whole) == 4
    searches.clear()
    assert look(tmp_path, *told, SECRET) == [*[False] * 9, True]
    assert searches == [*told[4:], SECRET]
    with remembering(tmp_path, "other"):
        for texts in ([told[0]], told, told[::-1]):
            learned = store.Known(newer=Digests(text_digest(text) for text in texts))
            _known().take(learned)
    assert len(store.read_known(tmp_path, "other").whole) == 4


def test_what_is_met_of_the_known_is_kept_when_more_is_read(
    tmp_path: Path, searches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge, "_MOST_UNKNOWN", 2)
    with remembering(tmp_path, "other"):
        assert not scan_text(CLEAN[1])
    with remembering(tmp_path, "test"):
        assert not scan_text(CLEAN[0])
    store._whole.cache_clear()
    with remembering(tmp_path, "test", little=True):
        for text in (CLEAN[0], "one that is new", *CLEAN[1:]):
            assert not scan_text(text)
    assert len(read_known(tmp_path, "test").whole) == 3
    assert searches == [CLEAN[1], CLEAN[0], "one that is new"]


KINDS = (
    *CLEAN,
    SECRET,
    '{"note": "a walk"}',
    '{"note": "' + SECRET + '"}',
    '"' + SECRET,
    "capture:sha256:" + "0a" * 32,
    "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "B0A1C2D3-0000-4111-8222-0123456789AB",
    "01234567-0000-4111-8222-0123456789ab",
    "https://example.org/B/key?token=9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    "letters/anna.berg@nordhafen-post.de/one.plist",
    "letters/jan.holm@nordhafen-post.de/one.plist",
    "letters.zip!anna.berg@nordhafen-post.de.plist",
    "letters.zip!one.plist",
    "12 Harbour Street, Nordhafen 24103",
    "abc",
    "",
)
"""Texts of every kind that cells of tables hold."""


def filled(record: Record, table: TableDefinition, texts: Iterator[str]) -> Record:
    """A record with the next texts in all its columns of texts."""
    told: dict[str, object] = {
        column.name: next(texts) if column.type == "string" else (next(texts),)
        for column in table.columns
        if column.type in {"string", "list<string>"}
    }
    return msgspec.structs.replace(record, **told)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("rejected", Rejected("parse", "a.plist", "broken", "why")),
        ("icloud_records", samples.record("0")),
        ("listings", samples.listing(1)),
    ],
)
@pytest.mark.parametrize("public", [(), ("12 Harbour Street, Nordhafen 24103",)])
def test_many_texts_at_once_are_redacted_as_each_by_itself(
    tmp_path: Path, name: str, first: Record, public: Sequence[str]
) -> None:
    table = load_table(name)
    texts = cycle(KINDS)
    records = [filled(first, table, texts) for _ in range(3 * len(KINDS))]
    rows = pa.Table.from_batches([record_batch(table, records)])
    redactor = CellRedactor(public)
    redactor.number_paths(KINDS)

    def each() -> list[tables.LeftText]:
        return [
            tables.LeftText(path, text, cell)
            for path in tables.searched_columns(table)
            for text in tables.distinct_texts(rows, path)
            if (cell := tables.redact_column(redactor, table, path, text))[0] != text
        ]

    wanted = each()
    assert len({left.column for left in wanted}) > 2
    shown = tables.redact_rows(rows, table, redactor).to_pylist()
    for _ in range(3):
        store._whole.cache_clear()
        with remembering(tmp_path, "test"):
            assert list(tables.changed_texts(rows, table, redactor)) == wanted
            found = tables.redact_records(records, table, redactor)
    paths = set(table.redaction.paths)
    for one, other in zip(found, shown, strict=True):
        for column, value in msgspec.structs.asdict(one).items():
            if column not in paths:
                assert (list(value) if isinstance(value, tuple) else value) == other[column]


def test_texts_that_are_known_are_passed_over_many_at_once(
    tmp_path: Path, searches: list[str]
) -> None:
    texts = [f"the bench with the number {number}" for number in range(50)]
    found = [*texts, SECRET, "0a1b2c3d4e5f60718293a4b5c6d7e8f9"]
    for _ in range(2):
        store._whole.cache_clear()
        with remembering(tmp_path, "test"):
            for text in not_known(found, cells.ANY):
                scan_text(text)
            for text in not_known(found, cells.IDS):
                CellRedactor().ident(text)
    redacted = SECRET.replace("anna.berg@nordhafen-post.de", "[redacted:email]")
    assert sorted(searches) == sorted([*found, redacted])
    store._whole.cache_clear()
    with remembering(tmp_path, "test"):
        assert not_known(found, cells.ANY) == found[50:]
        assert not_known(found, cells.IDS) == [SECRET]
    assert len(read_known(tmp_path, "test").whole) == 50 + 51
