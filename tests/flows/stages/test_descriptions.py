"""What describing is known by: all of the core, so that nothing outlives a change of it."""

from pathlib import Path

import pytest

from benchloom.code_digests.remembered import digests_of
from benchloom.release.describing.remembering import remembered, result_store
from flows.stages import descriptions
from flows.stages.descriptions import remembering_descriptions


def test_any_change_of_a_file_is_seen(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "code.py").write_text("A = 1\n")
    (tmp_path / "templates" / "page.html.j2").write_text("page")
    (tmp_path / "__pycache__").mkdir()
    before = digests_of(tmp_path)
    (tmp_path / "__pycache__" / "code.pyc").write_bytes(b"made by Python")
    assert digests_of(tmp_path) == before
    for name, content in (("templates/page.html.j2", "pages"), ("new.py", ""), ("code.py", "A=1")):
        (tmp_path / name).write_text(content)
        assert digests_of(tmp_path) != before
        before = digests_of(tmp_path)
    (tmp_path / "new.py").rename(tmp_path / "newer.py")
    assert digests_of(tmp_path) != before


def test_other_code_knows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with remembering_descriptions(tmp_path):
        assert remembered("subject", "name", int, lambda: 1) == 1
    with remembering_descriptions(tmp_path):
        assert remembered("subject", "name", int, lambda: 2) == 1
    monkeypatch.setattr(descriptions, "describing_code", lambda: "described:sha256:" + "0" * 64)
    with remembering_descriptions(tmp_path):
        assert remembered("subject", "name", int, lambda: 2) == 2
    assert result_store() is None
