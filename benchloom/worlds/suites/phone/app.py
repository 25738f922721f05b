"""The app `phone`: what a phone opens, posts, keeps and is set to, in any order."""

from typing import Annotated

import msgspec

from benchloom.worlds.everyday.rules import Name
from benchloom.worlds.state import Cell, State
from benchloom.worlds.tool import App, tool, tools_of

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4000, pattern=r"^[^\x00]*\S[^\x00]*$")]
Address = Annotated[str, msgspec.Meta(max_length=2000, pattern=r"^[^\s\x00-\x1f\x7f]+$(?!\n)")]
_SCHEMA = """
CREATE TABLE looked_up (word TEXT PRIMARY KEY) STRICT;
CREATE TABLE posts (text TEXT NOT NULL, service TEXT NOT NULL, PRIMARY KEY (text, service)) STRICT;
CREATE TABLE opened (target TEXT PRIMARY KEY) STRICT;
CREATE TABLE clipboard (slot INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE folders (path TEXT PRIMARY KEY) STRICT;
CREATE TABLE files (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
"""


class Done(msgspec.Struct, frozen=True):
    """What a tool returns that only does something."""

    done: bool = True


@tool(url="the URL.")
def open_url(state: State, *, url: Address) -> Done:
    """Open a URL, of the web or of an app."""
    return _put(state, "opened", {"target": url})


@tool(app="its name, like Calendar.")
def open_app(state: State, *, app: Name) -> Done:
    """Open an app."""
    return _put(state, "opened", {"target": app})


@tool(word="the word.")
def look_up_word(state: State, *, word: Words) -> Done:
    """Show what the dictionary says about a word."""
    return _put(state, "looked_up", {"word": word})


@tool(service="the network.", text="the text.")
def post_text(state: State, *, service: Name, text: Words) -> Done:
    """Post a text on a social network."""
    return _put(state, "posts", {"text": text, "service": service})


@tool(text="the text.")
def copy_text(state: State, *, text: Words) -> Done:
    """Copy a text to the clipboard, in place of what it contained."""
    return _put(state, "clipboard", {"slot": 1}, text=text)


@tool(name="the setting.", value="its new value, like on, off or 50%.")
def change_setting(state: State, *, name: Name, value: Name) -> Done:
    """Change a setting, like wifi, flashlight, focus or brightness."""
    return _put(state, "settings", {"name": name}, value=value)


@tool(path="its path.")
def create_folder(state: State, *, path: Words) -> Done:
    """Create a folder among the files."""
    return _put(state, "folders", {"path": path})


@tool(path="the path of the file.", text="what it contains.")
def save_text_file(state: State, *, path: Words, text: Words) -> Done:
    """Save a text as a file, in place of a file that has the path."""
    return _put(state, "files", {"path": path}, text=text)


@tool(person="the name or the number.")
def call_person(state: State, *, person: Name) -> Done:
    """Call somebody."""
    return _put(state, "opened", {"target": f"tel:{person}"})


def _put(state: State, table: str, key: dict[str, Cell], **values: Cell) -> Done:
    where = " AND ".join(f"{name} = ?" for name in key)
    if not state.rows(f"SELECT 1 FROM {table} WHERE {where}", *key.values()):  # noqa: S608  names of the code
        state.add(table, **key, **values)
    elif values:
        state.change(table, key, **values)
    return Done()


APP = App(
    schema=_SCHEMA,
    tools=tools_of("phone", globals()),
    goals={"open_url": "open a web page"},
)
