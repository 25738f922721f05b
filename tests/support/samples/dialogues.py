"""The hand-written sample of every source of dialogues, without any refused dialogue."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "tests" / "data" / "dialogues"
IN_THE_DEMO = {"sgd": ROOT / "demo" / "sgd"}


def sample(name: str) -> Path:
    """Return the folder of a source's sample."""
    return IN_THE_DEMO.get(name, SAMPLES / name)


def dialogue_files(folder: Path) -> list[Path]:
    """Return the files of dialogues of a source's sample."""
    return sorted(folder.rglob("dialogues_*.json"))
