"""The dataset card: front matter that Hugging Face's loader reads, then figures and limits."""

from pathlib import Path

import yaml

from benchloom.release.manifest import Manifest
from benchloom.tables import load_table
from benchloom.tables.definition import DATASETS

CARD = "README.md"


def render_card(manifest: Manifest) -> str:
    """The card of a release as Markdown; every number comes from the manifest."""
    tables = manifest.tables()
    configs = [
        {"config_name": name, "data_files": f"{name}/*.parquet", "default": name == "shortcuts"}
        for name in tables
    ]
    front = {"pretty_name": "benchloom", "language": ["en"], "license": "other", "configs": configs}
    lines = ["---", yaml.safe_dump(front, sort_keys=False).strip(), "---", ""]
    lines += [f"# benchloom {manifest.version}", ""]
    lines += [f"Content digest `{manifest.content_digest}`.", "", "## Tables", ""]
    for name, rows in tables.items():
        lines += [f"### {name} ({rows} rows)", "", *_about(name), ""]
    lines += ["## From inputs to rows", "", "| stage | received | kept | left out | tables |"]
    lines += ["|---|---|---|---|---|"]
    for step in manifest.funnel:
        reasons = ", ".join(f"{reason} {count}" for reason, count in step.reasons.items()) or "-"
        made = ", ".join(f"{table} {count}" for table, count in step.rows.items())
        lines.append(f"| {step.stage} | {step.received} | {step.kept} | {reasons} | {made} |")
    return "\n".join(lines) + "\n"


def _about(name: str) -> list[str]:
    """Description, licence and columns of a table."""
    table = load_table(name)
    lines = [table.description, ""]
    text = Path(DATASETS / name / "card.md")
    if text.is_file():
        lines += [text.read_text(encoding="utf-8").strip(), ""]
    lines += [f"Licence: {table.licence}", "", "| column | type | meaning |", "|---|---|---|"]
    lines += [f"| {c.name} | {c.type} | {c.description} |" for c in table.columns]
    return lines
