"""Check that every text of a release is redacted, and that the gate reads every text."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest

from benchloom.core.records import Completion, Listing, PromptMessage, Query, Rejected
from benchloom.normalise.redaction.tables import redactor_of
from benchloom.release import ReleaseTable, build_release, check_release, read_manifest
from benchloom.release.redacting import TablePart, redact_parts
from benchloom.storage.inputs import SourceFile
from benchloom.storage.tables import (
    iter_records,
    load_table,
    read_rows,
    table_names,
    table_parts,
    write_table,
)
from benchloom.storage.workspace import StageMark, stage_folder, write_mark
from tests.flows.releases.test_gates import (
    Row,
    copy_release,
    damage_table,
    file_entry,
    findings_of,
    seal,
)

MAIL = "a.person" + "@" + "host.example.com"
OTHER = "b.person" + "@" + "host.example.com"
KEY = "AKIA" + "Q7Z3" * 4
DIGEST = "file:sha256:" + 64 * "0"


def make_listing(number: int, text: str, uri: str) -> Listing:
    return Listing(
        listing_id=f"listing:sha256:{number:064x}",
        site="demo", listing_url=f"https://demo.example/{number}", page_kind="detail",
        state="listed", icloud_id=f"{number:031x}f", link=None, link_problem=None,
        name=f"Name {text}", tagline=f"Tag {text}", description=f"Long\n{text}!",
        category="Fun", categories=("Fun", text), version="1", system_version="17",
        updated="2024-05-06", downloads=1, favorites=1, reads=1, rating=1.0, member_only=False,
        author_credit="A. Person", download_url=None, next_page=None, capture=None,
        link_capture=None, source_uri=uri, source_digest=DIGEST, position=0,
    )  # fmt: skip


def make_query(number: int, text: str) -> Query:
    return Query(
        query_id=f"query:sha256:{number:064x}", target_id="shortcut:sha256:" + 64 * "0",
        kind="query", text=text, structured=msgspec.json.encode({"to": text, "n": 1}).decode(),
        prompt_digest=None, completion_digest=None, model=None, generator="template",
        tokens_in=0, tokens_out=0, usd=0.0,
    )  # fmt: skip


def make_completion(number: int, prompt: str, reply: str) -> Completion:
    return Completion(
        completion_digest=f"completion:sha256:{number:064x}",
        request_digest=f"request:sha256:{number:064x}", model="m", served_model="m",
        messages=(PromptMessage("system", "Ask."), PromptMessage("user", prompt)),
        parameters='{"max_tokens":9}', status="answered", content=reply,
        tokens_in=1, tokens_out=1, usd=0.0,
    )  # fmt: skip


def write_stage(folder: Path, tables: dict[str, list[msgspec.Struct]]) -> StageMark:
    """Write a finished stage with these tables, and return its mark."""
    sources = (
        SourceFile(f"{MAIL}.html", DIGEST, 1), SourceFile(f"{OTHER}.html", DIGEST, 1)
    )  # fmt: skip
    with stage_folder(folder, "made") as inside:
        rows = {n: write_table(n, rows, inside / f"{n}.parquet") for n, rows in tables.items()}
        rejected = {"damaged": len(tables.get("rejected", []))}
        mark = StageMark(
            stage="made", key="stage:sha256:1", objects=sum(rows.values()), rows=rows,
            sources=sources, reasons=rejected,
        )  # fmt: skip
        write_mark(inside, mark)
    return mark


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a release of listings, queries and a rejected row with planted secrets."""
    folder = tmp_path_factory.mktemp("made")
    tables: dict[str, list[msgspec.Struct]] = {
        "listings": [
            make_listing(1, f"write to {MAIL}", f"{MAIL}.html"),
            make_listing(2, KEY, f"{OTHER}.html"),
            make_listing(3, "nothing", "plain.html"),
        ],
        "queries": [make_query(1, f'Send "it" to {MAIL}\tnow'), make_query(2, "Say hello")],
        "rejected": [Rejected("parse", f"{MAIL}.html", "damaged", f"not read: {KEY}")],
    }
    mark = write_stage(folder / "stage", tables)
    release_tables = [ReleaseTable(name, folder / "stage") for name in tables]
    return build_release(release_tables, [mark], folder / "releases")


REPLIES = {
    "token": "Sure!\n\nUse {} for it.",
    "query": '{{"query":"Ask {} first","parameters":[]}}',
    "fence": '```json\n{{\n "query": "Ask {} first"\n}}\n```',
    "list": "1. wait\n2. {}\n3. go",
}


@pytest.mark.parametrize("form", REPLIES)
@pytest.mark.parametrize(
    "secret", [MAIL, KEY, "+41 79 234 56 78", "https://u1:x7Qp2mZ9@h.example/"]
)
def test_completions_are_redacted_in_prompt_and_reply(
    tmp_path: Path, form: str, secret: str
) -> None:
    rows: dict[str, list[msgspec.Struct]] = {
        "completions": [
            make_completion(1, f"Text [{secret}]", REPLIES[form].format(secret)),
            make_completion(2, "nothing", REPLIES[form].format("it")),
        ]
    }
    write_table("completions", rows["completions"], tmp_path / "completions.parquet")
    path = tmp_path / "completions.parquet"
    redactor = redactor_of({"completions": [path]})
    source_part = TablePart("completions", path, tmp_path / "a" / path.name)
    (redacted_path,) = redact_parts([source_part], redactor)
    assert redacted_path == source_part.target
    by_digest = {row["request_digest"]: row for row in read_rows(redacted_path).to_pylist()}
    redacted_row, plain_row = (by_digest[f"request:sha256:{number:064x}"] for number in (1, 2))
    secret_part = secret.removeprefix("https://").partition("@h.")[0]
    assert secret_part not in str(redacted_row)
    assert "[redacted:" in redacted_row["content"]
    assert "[redacted:" in redacted_row["messages"][1]["content"]
    assert (plain_row["content"], plain_row["messages"][1]["content"]) == (
        REPLIES[form].format("it"), "nothing"
    )  # fmt: skip
    second_part = TablePart("completions", redacted_path, tmp_path / "b" / path.name)
    assert redact_parts([second_part], redactor) == [redacted_path]


def test_figures_count_redactions_of_other_tables(release: Path) -> None:
    card = (release / "FIGURES.md").read_text("utf-8")
    assert "| listings | aws\\_key | 4 |" in card or "| listings | aws_key | 4 |" in card
    assert "| rejected | email | 1 |" in card


def all_text_of(folder: Path) -> str:
    texts = [repr(read.to_pylist()) for read in tables_of_release(folder)]
    texts += [p.read_text("utf-8", "replace") for p in folder.rglob("*") if p.is_file()]
    return "\n".join(texts)


def tables_of_release(folder: Path) -> list[pa.Table]:
    return [read_rows(p) for n in table_names() for p in table_parts(folder, n)]


def test_release_contains_no_planted_secret_and_is_sound(release: Path) -> None:
    release_text = all_text_of(release)
    for secret in (MAIL, OTHER, KEY):
        assert secret not in release_text
    rows = list(iter_records(release, "listings", Listing))
    by_number = {row.listing_url[-1]: row for row in rows if row.listing_url}
    assert by_number["1"].description == "Long\nwrite to [redacted:email]!"
    assert by_number["2"].categories == ("Fun", "[redacted:aws_key]")
    assert by_number["3"].name == "Name nothing"
    assert {row.icloud_id for row in rows} == {f"{number:031x}f" for number in (1, 2, 3)}
    assert {row.author_credit for row in rows} == {"A. Person"}
    (first_query, _) = iter_records(release, "queries", Query)
    assert first_query.text == 'Send "it" to [redacted:email]\tnow'
    assert msgspec.json.decode(first_query.structured or "") == {"to": first_query.text, "n": 1}
    check_release(release)


def test_redacted_paths_stay_distinct_and_consistent(release: Path) -> None:
    uris = {row.source_uri for row in iter_records(release, "listings", Listing)}
    assert uris == {"[redacted:email].html", "[redacted:email]~2.html", "plain.html"}
    manifest = read_manifest(release)
    assert {s.source_uri for s in manifest.created_from.sources} == uris - {"plain.html"}
    (rejected,) = iter_records(release, "rejected", Rejected)
    assert rejected.source_uri == "[redacted:email].html"
    assert rejected.message == "not read: [redacted:aws_key]"
    assert manifest.redactions["listings"] == {"aws_key": 4, "email": 6}
    assert manifest.redactions["rejected"] == {"aws_key": 1, "email": 1}


def forge_cell(table: str, column: str, text: str) -> Callable[[Path], str]:
    """Return a change of one cell in the first row of a table."""

    def change(folder: Path) -> str:
        def put_text(rows: list[Row]) -> str:
            rows[0][column] = text
            return f"{table}: "

        damage_table(folder, table, put_text)
        return f"{column} still contains"

    return change


def forge_document(name: str) -> Callable[[Path], str]:
    """Return a change that adds a key to a document of a release."""

    def change(folder: Path) -> str:
        path = folder / name
        path.write_text(path.read_text("utf-8") + f"\n<!-- {KEY} -->\n", "utf-8")
        seal(folder, [file_entry(folder, path)])
        return f"{name} still contains: aws_key 1"

    return change


@pytest.mark.parametrize(
    "change",
    [
        forge_cell("listings", "description", f"ask {MAIL}"),
        forge_cell("listings", "author_credit", MAIL),
        forge_cell("listings", "listing_url", "https://demo.example/?api_key=a8d7f6e5d4c3b2a1f0e9"),
        forge_cell("queries", "text", f"Tell {MAIL} about it"),
        forge_cell("queries", "structured", msgspec.json.encode({"to": [MAIL]}).decode()),
        forge_cell("rejected", "message", f"found {KEY}"),
        forge_document("README.md"),
        forge_document("report.html"),
    ],
)
def test_gate_names_column_or_document_with_a_secret(
    release: Path, tmp_path: Path, change: Callable[[Path], str]
) -> None:
    folder = copy_release(release, tmp_path)
    expected_text = change(folder)
    findings = [f for f in findings_of(folder).splitlines() if "still contains" in f]
    assert [f for f in findings if expected_text in f], findings
    assert not [f for f in findings if MAIL in f or KEY in f]


def test_text_columns_without_a_rule_are_searched() -> None:
    table = load_table("queries")
    assert {"text", "structured"} <= set(table.text_columns())
    assert not table.redaction.named()
