"""Check that each mistake of a new user is answered with its cause and a next step."""

import gzip
import hashlib
import io
import os
import plistlib
import re
import shlex
import shutil
import socket
import sqlite3
import subprocess
import zipfile
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.exchange.formats import FORMATS, Reading
from demo.drafts import Draft
from tests.support.stranger import BENCHLOOM, Stranger

USAGE, NOTHING_READ, GATE = 2, 1, 1
URL = "http://nothing.invalid/a.zip"
HUGE = "9" * 23
SHORTCUT = b'{"WFWorkflowActions": []}'


class Mistake(NamedTuple):
    """A command with a mistake, its exit code, and the cause and the next step in its output."""

    command: str
    code: int
    cause: str
    next_step: str


MISTAKES = (
    # Commands and options
    Mistake("rebild", USAGE, "No such command", "Did you mean 'rebuild'"),
    Mistake("export", USAGE, "No such command", "Did you mean 'release export'"),
    Mistake("parse shortcuts", USAGE, "Missing argument", "parse shortcuts -h"),
    Mistake("parse shortcuts ordinary", USAGE, "Missing option", "--out"),
    Mistake("parse shortcuts ordinary --out o --wrokers 2", USAGE, "--wrokers", "--workers"),
    Mistake("parse shortcuts ordinary --out o --workers -1", USAGE, "--workers", "equal to 1"),
    Mistake("parse listings nosite page.shortcut --out o", USAGE, "Missing option", "--site"),
    # Paths
    Mistake("parse shortcuts gone --out o", USAGE, "no such file", "check the spelling"),
    Mistake("parse shortcuts ordinary ordinary --out o", USAGE, "occurs twice", "pass each"),
    Mistake(
        "parse shortcuts empty.shortcut --out o", NOTHING_READ, "file is empty", "rejected.parquet"
    ),
    Mistake(
        "parse shortcuts page.shortcut --out o", NOTHING_READ, "HTML page", "download the file"
    ),
    Mistake(
        "parse shortcuts zips.zip --out o", NOTHING_READ, "another archive", "unpack the outer"
    ),
    Mistake("parse shortcuts no-zip.zip --out o", NOTHING_READ, "not a zip", "rejected.parquet"),
    Mistake("parse shortcuts packed.gz --out o", NOTHING_READ, "a gzip file", "unpack it first"),
    Mistake("parse shortcuts ordinary --out ordinary", USAGE, "both an input", "another folder"),
    Mistake(f"parse shortcuts ordinary --out {'x' * 300}", USAGE, "too long", "shorter name"),
    Mistake("parse shortcuts ordinary --out note.txt", USAGE, "is a file", "pass a folder"),
    Mistake(
        "parse shortcuts ordinary --out /proc/o", USAGE, ": /proc/o: No such", "check the path"
    ),
    Mistake("parse definitions a.xcstrings --out o", NOTHING_READ, "table of texts", "pass both"),
    # Dialogues and published benchmarks
    Mistake("convert sdg empty --out o", USAGE, "unknown dialogue source", "did you mean 'sgd'"),
    Mistake("convert sgd gone --out o", USAGE, "no such file", "check the spelling"),
    Mistake("convert sgd ordinary --out o --format xml", USAGE, "unknown format", "known:"),
    Mistake("convert sgd ordinary --out o --mode both", USAGE, "--mode", "one of 'flow', 'name'"),
    Mistake("import opnai empty.jsonl --out o", USAGE, "unknown format", "did you mean 'openai'"),
    Mistake(
        "import openai other.jsonl --out o", NOTHING_READ, "is not openai", "pass the right format"
    ),
    Mistake("import jsonl gone.jsonl --out o", USAGE, "no such file", "check the spelling"),
    # Configuration
    Mistake("config check --config gone.toml", USAGE, "no such configuration", "benchloom init"),
    Mistake("config check --config bad.toml", USAGE, "line 1, column 9", "correct it there"),
    Mistake("config check --config win.toml", USAGE, "hex value", "write / in paths"),
    Mistake("config check --config latin.jsonl", USAGE, "utf-8", "save it as UTF-8"),
    Mistake("config check --config section.toml", USAGE, "'sourecs'", "did you mean 'sources'"),
    Mistake("config check --config key.toml", USAGE, "'shortcut'", "did you mean 'shortcuts'"),
    Mistake("config check --config type.toml", USAGE, "not 3", "must be a valid array"),
    Mistake("config check --config missing.toml", USAGE, "no such file", "check the spelling"),
    Mistake("config check --config none.toml", USAGE, "has no input", "add an input"),
    Mistake("config check --config step.toml", USAGE, "unknown step", "did you mean 'query'"),
    Mistake("config check --config empty", USAGE, "Is a directory", "pass a file"),
    Mistake(
        "config check --config empty.toml", NOTHING_READ, "the folder is empty", "put files there"
    ),
    Mistake("rebuild --config empty.toml", NOTHING_READ, "the folder is empty", "put files there"),
    Mistake("rebuild --config note.toml --workspace w", NOTHING_READ, "nothing was", "'rejected'"),
    # Releases
    Mistake("release check https://nothing.invalid/r", USAGE, "a URL", "benchloom.load"),
    Mistake("release check", USAGE, "contains no release", "benchloom rebuild"),
    Mistake("release check sound --key gone", USAGE, "No such file", "check the path"),
    Mistake("release check damaged", NOTHING_READ, "changed", "copy the release again"),
    Mistake("release export damaged --format tlr --out o", USAGE, "unknown", "did you mean 'trl'"),
    Mistake("release build --in gone --version 0.1.0", USAGE, "no finished stage", "pass a folder"),
    Mistake("release build --in stage --version 0.1.0", USAGE, "truncated", "run the stage again"),
    Mistake("explore", USAGE, "contains no release", "benchloom rebuild"),
    Mistake("explore --port 99999", USAGE, "--port", "less than or equal to 65535"),
    Mistake("release check newer", GATE, "made by another version", "install that version"),
    Mistake("release publish sound --to s3:/b/x --dry-run", USAGE, "s3:/b/x", "write s3://b/x"),
    # Texts
    Mistake("generate qurey --in stage --out o", USAGE, "unknown step", "did you mean 'query'"),
    Mistake("calibrate empty --labels gone.jsonl", USAGE, "No such file", "pass a file of labels"),
    Mistake("calibrate empty --panel judges.toml", USAGE, "--panel needs", "--out"),
    Mistake(
        "completions verify gone.sqlite", USAGE, "gone.sqlite does not exist", "log of a workspace"
    ),
    Mistake("completions verify other.sqlite", NOTHING_READ, "not a completion log", "restore it"),
    # Worlds, crawling and other commands
    Mistake("world serve", USAGE, "nothing to serve", "pass a SUITE"),
    Mistake("world build everyday", USAGE, "no input", "pass --count"),
    Mistake("crawl", USAGE, "no site to crawl", "--all"),
    Mistake("crawl nosite", USAGE, "unknown site", "known:"),
    Mistake("crawl routinehub --since yesterday", USAGE, "'yesterday'", "a date like"),
    Mistake("download --captures gone", USAGE, "needs a contact", "BENCHLOOM_CONTACT"),
    Mistake("sites --captures gone", USAGE, "no such file", "check the spelling"),
    Mistake("clean --workspace gone", USAGE, "not a workspace", "--workspace"),
    Mistake("status --workspace gone", USAGE, "not a workspace", "benchloom rebuild"),
    Mistake("device run pattern.shortcut", GATE, "expression is not valid", "--json"),
    # Ports in use, unwritable paths, folders instead of files, file names and addresses
    Mistake("explore sound --port {port}", USAGE, "already in use", "--port 0"),
    Mistake("review sound --port {port}", USAGE, "already in use", "--port 0"),
    Mistake("world serve everyday --port {port}", USAGE, "already in use", "--port 0"),
    Mistake("parse shortcuts ordinary --out note.txt/o", USAGE, "exists", "choose another"),
    Mistake("rebuild --config sound.toml --workspace /proc/w", USAGE, "No such", "check the path"),
    Mistake("demo --workspace note.txt/w", USAGE, "Not a directory", "check the path"),
    Mistake("init note.txt/w --shortcuts ordinary", USAGE, "Not a directory", "check the path"),
    Mistake("release export sound --format trl --out /proc/o", USAGE, "No such", "check the path"),
    Mistake("device run pattern.shortcut --answers empty", USAGE, "directory", "pass a file"),
    Mistake("convert sgd ordinary --out o --select --rules empty", USAGE, "directory", "a file"),
    Mistake("calibrate sound --labels empty", NOTHING_READ, "no text has a label", "pass a file"),
    Mistake("parse shortcuts \udce9 --out o", USAGE, "no such file", "check the spelling"),
    Mistake("parse shortcuts ordinary --out \udce9", USAGE, "not UTF-8", "rename the file"),
    Mistake("parse shortcuts {url} --out o", USAGE, "cannot be reached", "check the address"),
    Mistake("rebuild --config url.toml", USAGE, "cannot be reached", "check the address"),
    Mistake(
        "apps --shortcuts gone", USAGE, "gone contains no shortcuts", "benchloom parse shortcuts"
    ),
)


INPUTS = ("empty", "empty.json", "note.txt")
"""An empty folder, an empty file, and a file of another kind."""
NEXT_STEP = re.compile(r"rejected\.parquet|\b([Nn]ame|[Pp]ass|give|make|put|restore|run|write) ")
READERS_OF_FOLDERS = (
    "parse shortcuts {} --out o",
    "parse definitions {} --out o",
    "parse listings {} --site routinehub --out o",
    "convert sgd {} --out o",
    "convert multiwoz {} --out o",
    "import FORMAT {} --out o",
    "generate query --in {} --out o",
    "judge query --in {} --texts empty.jsonl --out o",
    "review {} --port 0",
    "explore {} --port 0",
    "calibrate {} --labels labels.jsonl",
    "release check {}",
    "release sign {} --key note.txt",
    "release diff {} sound",
    "release diff sound {}",
    "release publish {} --to p --dry-run",
    "release export {} --format trl --out o",
    "release overlap {} sound",
    "release overlap sound {}",
    "release build --in {} --version 0.1.0",
    "evaluate BENCHMARK --predictions lines.jsonl --gold {}",
    "evaluate audit BENCHMARK --gold {}",
    "evaluate report {} --out o",
    "world load api-bank {}",
    "world load definitions {}",
    "world replay sgd {}",
    "world replay api-bank {}",
    "world build sgd {} --out o",
    "world build definitions {} --out o",
    "world build api-bank {} --out o",
    "world serve --tasks {} --port 0",
    "device coverage {}",
    "apps --shortcuts {}",
    "apps --shortcuts sound --definitions {}",
    "sites --captures {}",
)
READERS_OF_FILES = (
    "judge query --in sound --texts {} --out o",
    "evaluate shortcuts --predictions {} --gold sound",
    "device run {}",
    "device compare {} ordinary/ok.shortcut",
    "device compare ordinary/ok.shortcut {}",
    "completions verify {}",
    "completions export {} --out o",
    "calibrate sound --labels {}",
)


@pytest.fixture(scope="module")
def newcomer(
    demo_release: Path, tmp_path_factory: pytest.TempPathFactory, prefect_url: str
) -> Stranger:
    """Return a user whose folder contains files that are wrong in one way each."""
    folder = tmp_path_factory.mktemp("mistakes")
    for name in ("empty", "ordinary", "workspace", "stage/shortcuts", "damaged/queries"):
        (folder / name).mkdir(parents=True)
    (folder / "sound").symlink_to(demo_release)
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    draft = Draft("A pattern that is not closed")
    draft.add("is.workflow.actions.text.match", WFMatchTextPattern="(", text="tea")
    sources = b'[sources]\nshortcuts = ["%s"]\n'
    files = {
        "ordinary/ok.shortcut": SHORTCUT,
        "note.txt": b"no shortcut\n",
        "empty.shortcut": b"",
        "page.shortcut": b"<!doctype html><title>Sign in</title>",
        "zips.zip": make_zip("inner.zip", make_zip("note.txt", b"no shortcut")),
        "no-zip.zip": b"PK\x03\x04 and then nothing",
        "packed.gz": gzip.compress(SHORTCUT),
        "a.xcstrings": b'{"sourceLanguage": "en", "strings": {}, "version": "1.0"}',
        "empty.json": b"",
        "empty.jsonl": b"",
        "labels.jsonl": b'{"target_id": "x", "kept": true}\n',
        "lines.jsonl": b'{"id": "x", "output": "[]"}\n',
        "other.jsonl": b'{"colour": "red"}\n',
        "latin.jsonl": b'{"output": "caf\xe9"}\n',
        "judges.toml": b"[judges.a]\n",
        "bad.toml": b"[sources\n",
        "win.toml": sources % rb"C:\Users\me",
        "section.toml": b'[sourecs]\nshortcuts = ["ordinary"]\n',
        "key.toml": b'[sources]\nshortcut = ["ordinary"]\n',
        "type.toml": b"[sources]\nshortcuts = 3\n",
        "pattern.shortcut": plistlib.dumps(draft.build()),
        "note.toml": sources % b"note.txt",
        "sound.toml": sources % b"ordinary",
        "url.toml": sources % URL.encode(),
        "missing.toml": sources % b"gone",
        "none.toml": b"workers = 1\n",
        "empty.toml": sources % b"empty",
        "step.toml": sources % b"ordinary" + b'[generate]\nsteps = ["qurey"]\n',
        "huge.toml": b"workers = %s\n" % HUGE.encode() + sources % b"ordinary",
        "nan.toml": sources % b"ordinary" + b"[generate]\nmax_usd = nan\n",
        "twice.toml": b"workers = 1\nworkers = 2\n",
        "nul.toml": b"workers = 1\0\n",
        "utf16.toml": "workers = 1\n".encode("utf-16"),
        "version.toml": b'version = "1.x"\n' + sources % b"ordinary",
        "deep.shortcut": b"[" * 100_000,
        "stage/stage.json": b"{",
        "stage/shortcuts/part-00000.parquet": b"PAR1 and then nothing",
        "damaged/manifest.json": b"{}",
        "damaged/queries/part-00000.parquet": b"PAR1",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    newer = b'{"format": "benchloom-release-99"}'
    (folder / "newer").mkdir()
    (folder / "newer" / "manifest.json").write_bytes(newer)
    (folder / "newer" / "manifest.sha256").write_bytes(_format_digest_line(newer))
    sqlite3.connect(folder / "other.sqlite").executescript("create table t (a);").close()
    return Stranger(folder, tmp_path_factory.mktemp("home"), prefect_url)


def _format_digest_line(manifest: bytes) -> bytes:
    return f"{hashlib.sha256(manifest).hexdigest()}  manifest.json\n".encode()


def make_zip(name: str, content: bytes) -> bytes:
    """Return a zip archive with one member."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr(name, content)
    return archive.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.command)
def test_mistake_is_answered_with_cause_and_next_step(mistake: Mistake, newcomer: Stranger) -> None:
    shutil.rmtree(newcomer.folder / "o", ignore_errors=True)
    with socket.create_server(("127.0.0.1", 0)) as busy:
        command = mistake.command.format(port=busy.getsockname()[1], url=URL, huge=HUGE)
        printed = newcomer.types(*shlex.split(command), code=mistake.code)
    assert mistake.cause in printed, printed
    assert mistake.next_step in printed, printed
    assert ".tmp-" not in printed


@pytest.mark.long
@pytest.mark.parametrize("command", READERS_OF_FOLDERS + READERS_OF_FILES)
def test_command_with_unreadable_input_exits_with_1(command: str, newcomer: Stranger) -> None:
    inputs = INPUTS if command in READERS_OF_FOLDERS else INPUTS[1:]
    kinds = {"FORMAT": FORMATS.only(Reading), "BENCHMARK": BENCHMARKS.names()}
    kind = next((kind for kind in kinds if kind in command), "")
    # The inputs are distributed over the members of a kind.
    for path, name in zip(cycle(inputs), kinds.get(kind, [""] * len(inputs)), strict=False):
        shutil.rmtree(newcomer.folder / "o", ignore_errors=True)
        words = command.replace("{}", path).replace(kind or "{}", name).split()
        printed = newcomer.types(*words, code=NOTHING_READ)
        assert NEXT_STEP.search(printed), printed


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "code", "expected_message"),
    [
        ("rebuild --config bad.toml", USAGE, "correct it there"),
        ("init mine <&-", USAGE, ""),
        ("reasons >&-", 0, ""),
        ("parse shortcuts gone --out o 2>&-", USAGE, ""),
        ("reasons >/dev/full", USAGE, "left on device; free space, and run the same command again"),
    ],
)
def test_closed_or_full_streams_cause_no_traceback(
    words: str, code: int, expected_message: str, newcomer: Stranger
) -> None:
    completed = subprocess.run(
        ["/bin/sh", "-c", f"{BENCHLOOM} {words}"],
        cwd=newcomer.folder,
        env=newcomer.environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (completed.returncode, "Traceback" in completed.stderr) == (code, False), (
        completed.stderr
    )
    assert expected_message in completed.stderr
