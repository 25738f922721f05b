"""An app of a world: its tables, its rows at the start, and its tools."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.tool import Tool
from benchloom.worlds.world import World


class App(msgspec.Struct, frozen=True, kw_only=True):
    """One app of a world; `needs` names the apps whose tables this app's tables refer to.

    `schema`, `fill`, `frozen`, `sets` and `goals` have the meaning they have in `World`; the names
    of tools in `goals` are without the app.
    """

    schema: str = ""
    fill: Callable[[State], None] = lambda _state: None
    tools: tuple[Tool, ...]
    needs: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    goals: Mapping[str, str] = {}


def world_of(name: str, now: str, apps: Sequence[App]) -> World:
    """Combine apps into a world; each app comes after the apps it needs."""

    def fill(state: State) -> None:
        for app in apps:
            app.fill(state)

    return World(
        name,
        now,
        "\n".join(app.schema for app in apps),
        fill,
        [tool for app in apps for tool in app.tools],
        frozen=[table for app in apps for table in app.frozen],
        sets=[column for app in apps for column in app.sets],
        goals={
            f"{app.tools[0].app}.{name}": goal for app in apps for name, goal in app.goals.items()
        },
    )
