"""Check that a diff lists exactly the changed rows, each with its reason."""

import plistlib
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.release.diff import diff_releases
from benchloom.storage.tables import load_table, read_rows, table_parts
from flows.cli import build_app
from tests.flows.releases.test_gates import file_entry, seal
from tests.support.demo_world import SHORTCUTS
from tests.support.shortcut_stages import build


def test_diff_lists_exactly_the_scripted_changes(tmp_path: Path) -> None:
    world = tmp_path / "world"
    shutil.copytree(SHORTCUTS, world, ignore=shutil.ignore_patterns("odd", "damaged"))
    first = build([world], tmp_path / "w")
    (world / "read-later.shortcut").unlink()
    (world / "bread-timer.json").unlink()
    shutil.copy(SHORTCUTS / "odd" / "renamed.plist", world / "new.plist")
    changed = world / "price-of-gold.plist"
    root = plistlib.loads(changed.read_bytes())
    root["WFWorkflowActions"][1]["WFWorkflowActionParameters"]["WFRoundTo"] = "Ones"
    changed.write_bytes(plistlib.dumps(root))
    renamed = world / "packing-list.plist"
    root = plistlib.loads(renamed.read_bytes())
    root["WFWorkflowName"] = "What to pack"
    renamed.write_bytes(plistlib.dumps(root))
    (world / "broken.json").write_text("{")
    second = build([world], tmp_path / "w")
    diff = {table.table: table for table in diff_releases(first, second).tables}
    assert diff.keys() == {"rejected", "shortcuts"}
    assert diff["shortcuts"].counts == {
        "added: new shortcut": 1,
        "changed: changed plist": 2,
        "removed: shortcut gone": 2,
    }
    assert diff["rejected"].counts == {"added: new row": 1}
    by_label = {change.label: change for change in diff["shortcuts"].changes}
    assert by_label["new"].change == "added"
    assert "actions" in by_label["price-of-gold"].columns
    assert by_label["What to pack"].columns == ("name", "source_digest")
    assert diff_releases(second, second).tables == ()


def rewrite_with_older_columns(release: Path) -> None:
    """Rewrite the rows of a release under an earlier schema, where two columns have other names."""
    today = load_table("shortcuts").arrow_schema()
    actions = today.field("actions").type.value_type
    remaining_fields = [field for field in actions if field.name != "definition_id"]
    older = pa.list_(pa.struct([*remaining_fields, pa.field("colour", pa.string())]))
    fields = [field for field in today if field.name not in {"oddities", "languages", "actions"}]
    fields += [pa.field("flags", pa.list_(pa.string())), pa.field("rating", pa.int64())]
    schema = pa.schema([*fields, pa.field("actions", older)])
    written = []
    for part in table_parts(release, "shortcuts"):
        rows = read_rows(part).to_pylist()
        for row in rows:
            row["flags"] = row.pop("oddities")
            row["rating"] = 1
            del row["languages"]
            for action in row["actions"]:
                del action["definition_id"]
                action["colour"] = "red"
        pq.write_table(pa.Table.from_pylist(rows, schema), part)
        written.append(file_entry(release, part, "shortcuts", len(rows)))
    seal(release, written)


@pytest.mark.long
def test_diff_of_two_schemas_compares_shared_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = tmp_path / "world"
    shutil.copytree(SHORTCUTS, world, ignore=shutil.ignore_patterns("odd", "damaged"))
    first = build([world], tmp_path / "w")
    rewrite_with_older_columns(first)
    (world / "bread-timer.json").unlink()
    second = build([world], tmp_path / "w")
    assert (first.name, second.name) == ("0.1.0", "1.0.0"), "another schema is a new major version"
    (table_diff,) = (t for t in diff_releases(first, second).tables if t.table == "shortcuts")
    assert table_diff.schema_changed
    assert table_diff.columns.gone == ("actions.colour", "rating")
    assert table_diff.columns.came == ("actions.definition_id", "languages")
    assert table_diff.columns.renamed == ("flags -> oddities",)
    assert table_diff.columns.retyped == ()
    assert table_diff.counts == {"removed: shortcut gone": 1}
    (reverse_diff,) = (t for t in diff_releases(second, first).tables if t.table == "shortcuts")
    assert reverse_diff.counts == {"added: new shortcut": 1}
    arguments = ["release", "diff", "0.1.0", "1.0.0", "--workspace", str(tmp_path / "w")]
    build_app()(arguments, standalone_mode=False)
    output = capsys.readouterr().out
    assert "renamed columns: flags -> oddities" in output
    assert "removed columns: actions.colour, rating" in output
