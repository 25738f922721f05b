"""The sample that every source of dialogues brings: written by hand, nothing of it refused."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "tests" / "data" / "dialogues"
IN_THE_DEMO = {"sgd": ROOT / "demo" / "sgd"}


def sample(name: str) -> Path:
    """The folder of a source's sample, with its splits."""
    return IN_THE_DEMO.get(name, SAMPLES / name)


def dialogue_files(folder: Path) -> list[Path]:
    """Its files of dialogues."""
    return sorted(folder.rglob("dialogues_*.json"))
