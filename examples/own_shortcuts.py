"""From your own shortcut files to a training set, in one process and without a server.

    python -m examples.own_shortcuts FILES WORKSPACE

FILES is a folder, a zip archive or one file, in any container, signed ones too. The stages below
are those of `benchloom rebuild`: each reads finished folders and writes one, so a run that was
killed goes on where it stopped. The end is `WORKSPACE/training/{train,validation,test}.jsonl`: a
line per text, with what a user asks for and the shortcut that does it.
"""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

from benchloom.release import read_manifest
from flows.run.runner import run_stage
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import run_template
from flows.stages.release import release_stages
from flows.stages.shortcuts import enrich, fingerprint, normalise, parse

SPLITS = ("train", "validation", "test")


def build(files: Path, workspace: Path) -> Path:
    """The folder of a checked release of the shortcuts in `files`."""
    # Bytes in, records out: a row for every file, or a row of `rejected` that says why not.
    parsed = run_stage(parse.prepare([files], workspace))

    # One row for shortcuts that differ only in generated ids.
    distinct = run_stage(normalise.prepare(parsed), workspace)

    # Secrets become placeholders; near duplicates share a cluster, and a cluster has one split.
    fingerprints = run_stage(fingerprint.prepare(distinct), workspace)
    enriched = run_stage(enrich.prepare(distinct, fingerprints), workspace)

    # What would a user have said? Templates answer here; `model="..."` and `run_model` ask a model.
    plan = GeneratePlan(step="query", source=enriched.path, model=None)
    queries = workspace / "generated" / "query"
    run_template(plan, queries)

    # Every gate reads every row again before the release gets its name.
    return release_stages([enriched.path, queries], workspace / "releases")


def write_training(release: Path, out: Path) -> dict[str, int]:
    """Write the accepted texts with their shortcuts; return the number of lines per split.

    A release leaves what templates wrote out of training. This recipe has nothing else, so it asks
    for them by the split of the shortcut.
    """
    columns = ["shortcut_id", "workflow", "split"]
    rows = pq.read_table(release / "shortcuts", columns=columns).to_pylist()
    shortcuts = {row["shortcut_id"]: row["workflow"] for row in rows}
    splits = {row["shortcut_id"]: row["split"] for row in rows}
    kinds = [("kind", "==", "query"), ("kept", "==", True)]
    queries = pq.read_table(release / "queries", filters=kinds).to_pylist()
    out.mkdir(parents=True, exist_ok=True)
    written = {}
    for split in SPLITS:
        chosen = [row for row in queries if splits[row["target_id"]] == split]
        lines = [
            {
                "messages": [
                    {"role": "user", "content": row["text"]},
                    {"role": "assistant", "content": shortcuts[row["target_id"]]},
                ],
                "query_id": row["query_id"],
            }
            for row in chosen
        ]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (out / f"{split}.jsonl").write_text(text, encoding="utf-8")
        written[split] = len(lines)
    return written


if __name__ == "__main__":
    source, place = Path(sys.argv[1]), Path(sys.argv[2])
    built = build(source, place)
    counted = write_training(built, place / "training")
    told = ", ".join(f"{count} {split}" for split, count in counted.items())
    sys.stdout.write(f"release {read_manifest(built).version} in {built}\ntraining set: {told}\n")
