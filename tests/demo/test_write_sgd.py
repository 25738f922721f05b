"""Check that the committed demo dialogues equal the output of their script."""

from pathlib import Path

from tests.support.demo_files.dialogues import OUT, main


def test_committed_files_equal_the_output_of_their_script(tmp_path: Path) -> None:
    main(tmp_path)
    written_files = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*.json")}
    committed_files = {p.relative_to(OUT): p.read_bytes() for p in OUT.rglob("*.json")}
    assert written_files == committed_files
    assert len(written_files) == 10
