"""Build the table of apps: how shortcuts use each app, and which of its definitions are missing.

The operator can set flags for apps in a small TOML file in the workspace:

    ["com.example.app"]
    paid = true
    note = "bought on 2024-05-01"
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from benchloom.core.built_in_actions import SYSTEM_APP, UNCOUNTED
from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.records import ActionDefinition, App, Shortcut
from benchloom.normalise.definitions.control_definitions import load_index
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import iter_records, table_parts
from benchloom.storage.workspace import STAGE_FILE, read_mark, valid_mark

FILE_NAME = "apps.toml"


class AppFlags(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The operator's flags for an app. A flag that is not set is null."""

    paid: bool | None = None
    legacy: bool | None = None
    unavailable: bool | None = None
    note: str | None = None

    def words(self) -> tuple[str, ...]:
        """Return the names of the flags that are true."""
        return tuple(
            word for word in ("paid", "legacy", "unavailable") if getattr(self, word) is True
        )


def read_flags(path: Path) -> dict[str, AppFlags]:
    """Read the operator's file and return a mapping from app to flags.

    Raises RunError for an unknown flag. If there is no file, no app has a flag.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, AppFlags])
    except FileNotFoundError:
        return {}
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(
            f"{path}: {error}; the valid flags are paid, legacy, unavailable, note"
        ) from error


_STORE = "https://itunes.apple.com/lookup?bundleId={app}"
_OWN_NAMES = (SYSTEM_APP, "com.apple.")
Call = tuple[str, str, str | None]
"""An action to count: its app, its identifier, and the id of its definition or None."""


def calls_of(shortcut: Shortcut, joined: Sequence[ActionDefinition]) -> list[Call]:
    """Return the app, the identifier and the definition id of each action of a shortcut."""
    return [
        (action.app, action.identifier, definition.definition_id)
        for action, definition in zip(shortcut.actions, joined, strict=True)
    ]


class AppCounts:
    """Counts how shortcuts use apps, one shortcut at a time."""

    def __init__(self) -> None:
        self._actions: Counter[str] = Counter()
        self._shortcuts: Counter[str] = Counter()
        self._unlocks: Counter[str] = Counter()
        self._apis: defaultdict[str, set[str]] = defaultdict(set)
        self._missing: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, calls: Iterable[Call]) -> None:
        """Count the apps and APIs that the actions of one shortcut use."""
        apps: set[str] = set()
        apps_to_define: set[str] = set()
        for app_name, identifier, definition_id in calls:
            app = app_name or "(none)"
            apps.add(app)
            self._actions[app] += 1
            self._apis[app].add(identifier)
            if definition_id is None and identifier not in UNCOUNTED:
                self._missing[app].add(identifier)
                apps_to_define.add(app)
        self._shortcuts.update(apps)
        if len(apps_to_define) == 1:
            self._unlocks.update(apps_to_define)

    def table(self, flags: Mapping[str, AppFlags]) -> list[App]:
        """Return a row for each app that shortcuts use, sorted.

        Flags of all other apps are ignored.
        """
        return [self._row(app, flags.get(app, AppFlags())) for app in sorted(self._actions)]

    def _row(self, app: str, flags: AppFlags) -> App:
        apis, missing = self._apis[app], self._missing.get(app, set())
        return App(
            app=app,
            actions_seen=self._actions[app],
            shortcuts=self._shortcuts[app],
            has_definitions=len(missing) < len(apis - UNCOUNTED),
            apis_seen=len(apis),
            apis_missing=len(missing),
            unlocks=self._unlocks[app],
            store_link=store_link(app),
            paid=flags.paid,
            legacy=flags.legacy,
            unavailable=flags.unavailable,
            note=flags.note,
        )


def store_link(app: str) -> str | None:
    """Return the address that looks up an app in the App Store.

    Returns None for apps of the system and for names without a dot.
    """
    if app.startswith(_OWN_NAMES) or "." not in app:
        return None
    return _STORE.format(app=app)


def missing_apps(apps: list[App]) -> list[App]:
    """Return the apps that lack definitions, with those first that most shortcuts need."""
    incomplete_apps = [app for app in apps if app.apis_missing and not app.unavailable]
    return sorted(incomplete_apps, key=lambda app: (-app.unlocks, -app.shortcuts, app.app))


SHORTCUT_STAGES = ("enrich-shortcuts", "normalise-shortcuts", "parse-shortcuts")
DEFINITION_STAGES = ("normalise-definitions", "parse-definitions")


def rank_apps(shortcuts: Path, definitions: Path | None, flags: Path) -> list[App]:
    """Return a row for each app that shortcuts use. `flags` is the operator's file with flags.

    Raises:
        NothingReadError: a folder lacks its table, or there is no shortcut.
    """
    inputs = (
        (shortcuts, "shortcuts", "shortcuts"),
        (definitions, "api_definitions", "definitions"),
    )
    for folder, table, word in inputs:
        if folder is not None:
            if not table_parts(folder, table):
                message = f"{folder} contains no {word}; run 'benchloom parse {word}'"
                raise nothing_in(folder, message)
            valid_mark(folder)
    index = load_index(definitions or shortcuts)
    counts = AppCounts()
    any_shortcut = False
    for shortcut in iter_records(shortcuts, "shortcuts", Shortcut):
        counts.add(calls_of(shortcut, [index.join(action) for action in shortcut.actions]))
        any_shortcut = True
    if not any_shortcut:
        raise NothingReadError(f"{shortcuts} contains no shortcut; run 'benchloom parse shortcuts'")
    return counts.table(read_flags(flags))


def newest_stage(workspace: Path, stages: Sequence[str]) -> Path | None:
    """Return the newest result folder of a pipeline stage in the workspace, or None.

    `stages` are names of stages. The first one that has a folder is used.
    """
    paths_by_stage: dict[str, list[Path]] = {}
    for path in sorted(workspace.rglob(STAGE_FILE)):
        mark = read_mark(path.parent)
        if mark is not None:
            paths_by_stage.setdefault(mark.stage, []).append(path)
    for stage in stages:
        if stage in paths_by_stage:
            return max(paths_by_stage[stage], key=lambda path: (path.stat().st_mtime, path)).parent
    return None
