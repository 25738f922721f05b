"""The demo dialogues are what the hand-written sources say."""

from pathlib import Path

from tests.support.demo_files.dialogues import OUT, main


def test_written_files_are_up_to_date(tmp_path: Path) -> None:
    main(tmp_path)
    written = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*.json")}
    committed_files = {p.relative_to(OUT): p.read_bytes() for p in OUT.rglob("*.json")}
    assert written == committed_files
    assert len(written) == 10
