"""A diff lists exactly what changed, and says why."""

import plistlib
import shutil
from pathlib import Path

from benchloom.release.diff import diff_releases
from tests.demo_world import SHORTCUTS
from tests.flows.test_stages import build


def test_exactly_the_scripted_changes_are_listed(tmp_path: Path) -> None:
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
    assert by_label["new.plist"].change == "added"
    assert "actions" in by_label["price-of-gold.plist"].columns
    assert by_label["What to pack"].columns == ("name", "source_digest")
    assert diff_releases(second, second).tables == ()


def test_the_version_says_how_much_changed(tmp_path: Path) -> None:
    world = tmp_path / "world"
    shutil.copytree(SHORTCUTS, world, ignore=shutil.ignore_patterns("odd", "damaged"))
    assert build([world], tmp_path / "w").name == "0.1.0"
    (world / "broken.json").write_text("{")
    assert build([world], tmp_path / "w").name == "0.2.0"
