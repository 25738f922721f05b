"""Write the hand-made shortcuts of the demo world to `demo/shortcuts`.

Run it with `python -m tests.support.demo_files.shortcuts`. The files are committed, and a test
compares them with the output of this script.
"""

import json
from pathlib import Path
from typing import Any

from demo.containers import binary, json_dump, signed, xml
from demo.drafts import Draft
from tests.support.demo_files.damaged import damaged_files
from tests.support.demo_files.good import recipes
from tests.support.demo_files.odd import odd_shortcuts

SHORTCUTS = Path(__file__).parents[3] / "demo/shortcuts"


def files() -> dict[str, bytes]:
    """Return the bytes of every shortcut file of the demo world by its relative path."""
    contents: dict[str, bytes] = {}
    for number, draft in enumerate(recipes()):
        root = draft.build()
        name = _file_name(draft.title)
        kind = number % 4
        if kind == 3 and _fits_json(root):
            contents[f"{name}.json"] = json_dump(
                {"URL": "https://sharing.example", "shortcut": root}
            )
        elif kind == 2:
            contents[f"{name}.shortcut"] = signed(binary(root), stored=number % 8 == 2)
        elif kind == 1:
            contents[f"{name}.plist"] = xml(root)
        else:
            contents[f"{name}.shortcut"] = binary(root)
    for number, (flag, draft) in enumerate(odd_shortcuts().items()):
        contents[f"odd/{flag}.plist"] = (xml, binary)[number % 2](_without_none(draft.build()))
    contents |= _odd_containers()
    contents |= {f"damaged/{name}": data for name, (data, _) in damaged_files().items()}
    return contents


def _odd_containers() -> dict[str, bytes]:
    """Return files with odd containers, and files with the same actions as another file."""
    draft = Draft("Garden gate")
    spoken = draft.add("gettext", WFTextActionText="The gate is open")
    draft.add("speaktext", WFText={"Value": spoken, "WFSerializationType": "WFTextTokenAttachment"})
    root = draft.build()
    renamed = Draft("Garden gate, copied")
    spoken = renamed.add("gettext", WFTextActionText="The gate is open")
    spoken["OutputName"] = "Texto"
    renamed.add(
        "speaktext", WFText={"Value": spoken, "WFSerializationType": "WFTextTokenAttachment"}
    )
    door = Draft("Front door")
    door.add("speaktext", WFText="Someone is at the front door")
    bell = xml(root).replace(b"The gate is open", b"The bell\x07 rings")
    half_character = json_dump(root).replace(b"The gate is open", rb"Half a smile \ud83d")
    return {
        "odd/wrapped_in_list.json": json_dump([root]),
        "odd/bare_action_list.json": json_dump(root["WFWorkflowActions"]),
        "odd/control_characters_stripped.plist": bell,
        "odd/lone_surrogates_replaced.json": half_character,
        "odd/byte-order-mark.plist": b"\xef\xbb\xbf\n\n" + xml(root),
        "odd/same-bytes.plist": xml(door.build()),
        "odd/same-bytes-again.plist": xml(door.build()),
        "odd/renamed.plist": xml(renamed.build()),
        "odd/empty-one.plist": xml(Draft("Empty").build()),
        "odd/empty-two.shortcut": binary(Draft("Empty").build()),
        "odd/utf-16.plist": xml(root).decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        "odd/signed-xml.shortcut": signed(xml(root), stored=True),
    }


def _file_name(title: str) -> str:
    return title.lower().replace(" ", "-")


def _fits_json(root: object) -> bool:
    try:
        json.dumps(root)
    except TypeError:
        return False
    return True


def _without_none(value: Any) -> Any:
    """Return the value without null entries, which property lists cannot contain."""
    if isinstance(value, dict):
        return {key: _without_none(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list):
        return [_without_none(entry) for entry in value]
    return value


def main() -> None:
    """Write every shortcut file."""
    for name, data in files().items():
        path = SHORTCUTS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main()
