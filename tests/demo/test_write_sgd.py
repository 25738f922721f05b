"""The demo dialogues are what the hand-written sources say."""

import importlib.util
from pathlib import Path
from types import ModuleType

DEMO = Path(__file__).resolve().parents[2] / "demo"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_sgd", DEMO / "write_sgd.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_written_files_are_up_to_date(tmp_path: Path) -> None:
    script().main(tmp_path)
    written = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*.json")}
    committed_files = {
        p.relative_to(DEMO / "sgd"): p.read_bytes() for p in (DEMO / "sgd").rglob("*.json")
    }
    assert written == committed_files
    assert len(written) == 10
