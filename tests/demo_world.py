"""The hand-made inputs that tests share."""

from pathlib import Path

DEMO = Path(__file__).resolve().parents[1] / "demo"
SHORTCUTS = DEMO / "shortcuts"
