"""Paths of the hand-written samples of all sources of dialogues, without refused dialogues."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "tests" / "data" / "dialogues"
IN_THE_DEMO = {"sgd": ROOT / "demo" / "sgd"}


def sample(name: str) -> Path:
    """Return the folder of a source's sample."""
    return IN_THE_DEMO.get(name, SAMPLES / name)


def dialogue_files(folder: Path) -> list[Path]:
    """Return the dialogue files in the folder of a source's sample."""
    return sorted(folder.rglob("dialogues_*.json"))
