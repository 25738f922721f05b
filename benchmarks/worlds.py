"""This module writes invented inputs of any size for a rebuild, and knows the expected row counts.

    python -m benchmarks.worlds COUNT DIR [--seed N]

writes COUNT shortcut files into archives, and a twentieth as many listings, as many definitions and
as many dialogues. Every object depends only on the seed and on its number. So nothing is kept in
memory, equal sizes give equal bytes, and larger inputs contain the smaller ones.
"""

import json
import plistlib
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random

import msgspec

from demo.containers import binary
from demo.drafts import Draft

PER_ARCHIVE = 10_000
PER_PAGE = 100
PER_FILE = 100
BLOCK = 20
"""The number of shortcuts in a block; every block has copies and damage at the same positions."""
EXACT, RENAMED, NEAR, DAMAGED = 7, 11, 13, 17
"""Positions in a block of copies of shortcuts 1, 2 and 0, and of a file that cannot be read."""
TEMPLATE = 5
"""One dialogue in this many repeats the plan of the previous dialogue."""
_EPOCH = (2031, 1, 1, 0, 0, 0)
_SYLLABLES = [first + second for first in "bdklmnrst" for second in "aeo"]
_DAMAGES: tuple[tuple[str, bytes], ...] = (
    ("empty_file", b""),
    ("unknown_format", b"Dear diary, this is no shortcut."),
    ("bad_json", b'{"WFWorkflowActions": ['),
    ("not_a_shortcut", plistlib.dumps({"CFBundleName": "Example"})),
)


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """The row counts that a rebuild of the inputs must have.

    `rejected` maps reasons to numbers of files that cannot be read, and `merged` maps reasons to
    numbers of copies. `alike` counts the shortcuts that are in a cluster of near duplicates.
    """

    files: int
    rejected: dict[str, int]
    merged: dict[str, int]
    shortcuts: int
    alike: int
    listings: int
    definitions: int
    dialogues: int
    plans: int


def expected(count: int) -> Expected:
    """Return the row counts that a rebuild of inputs with `count` shortcut files must have."""
    count_of_others = few_of(count)
    rejected: Counter[str] = Counter()
    merged: Counter[str] = Counter()
    alike = 0
    for block in range(-(-count // BLOCK)):
        size = min(BLOCK, count - block * BLOCK)
        merged["duplicate_bytes"] += size > EXACT
        merged["duplicate_renamed"] += size > RENAMED
        alike += 2 * (size > NEAR)
        if size > DAMAGED:
            rejected[_DAMAGES[block % len(_DAMAGES)][0]] += 1
    return Expected(
        files=count,
        rejected=dict(sorted(rejected.items())),
        merged=dict(sorted((+merged).items())),
        shortcuts=count - rejected.total() - merged.total(),
        alike=alike,
        listings=count_of_others,
        definitions=count_of_others,
        dialogues=count_of_others,
        plans=count_of_others - count_of_others // TEMPLATE,
    )


def few_of(count: int) -> int:
    """Return how many listings, definitions and dialogues each belong to `count` shortcuts."""
    return max(1, count // 20)


def write_world(count: int, folder: Path, seed: int = 1) -> Expected:
    """Write the folders `shortcuts`, `listings`, `definitions` and `dialogues` into `folder`."""
    _write_archives(folder / "shortcuts", "shortcuts", shortcuts(count, seed))
    count_of_others = few_of(count)
    _write_archives(folder / "listings", "pages", _pages(count_of_others, seed))
    _write_definitions(folder / "definitions", count_of_others, seed)
    write_dialogues(folder / "dialogues" / "train", count_of_others, seed)
    return expected(count)


def shortcuts(count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each of `count` shortcut files."""
    for number in range(count):
        yield f"{number:08d}.shortcut", _shortcut(number, seed)


def _shortcut(number: int, seed: int) -> bytes:
    block, position = divmod(number, BLOCK)
    if position == DAMAGED:
        return _DAMAGES[block % len(_DAMAGES)][1]
    copied = {EXACT: 1, RENAMED: 2, NEAR: 0}.get(position)
    if copied is None:
        return _shortcut_bytes(number, number, seed)
    original = block * BLOCK + copied
    if position == EXACT:
        return _shortcut_bytes(original, original, seed)
    return _shortcut_bytes(original, number, seed, changed=position == NEAR)


def _shortcut_bytes(content: int, device: int, seed: int, *, changed: bool = False) -> bytes:
    """Return a shortcut whose actions depend on `content`, and whose ids depend on `device`.

    A changed shortcut has another text in its last action, so only one of its pairs of consecutive
    actions differs.
    """
    chance = Random(f"{seed}/shortcut/{content}")  # noqa: S311  made data, no secret
    draft = Draft(f"{seed}/device/{device}")
    last = draft.add("gettext", WFTextActionText=_sentence(chance, 12))
    for _ in range(chance.randint(4, 13)):
        _extend(draft, chance, last)
        last = draft.add("gettext", WFTextActionText=_sentence(chance, chance.randint(3, 30)))
    draft.add("notification", WFNotificationActionBody=_sentence(chance, 6))
    ending = f"{_sentence(chance, 5)}{' once more' if changed else ''}"
    draft.add("showresult", Text=ending)
    return binary(draft.build())


def _extend(draft: Draft, chance: Random, last: dict[str, object]) -> None:
    """Append one or three actions to a shortcut; most of them use `last`, an earlier output."""
    reference = {"Value": last, "WFSerializationType": "WFTextTokenAttachment"}
    kind = chance.randrange(4)
    if kind == 0:
        draft.add("setvariable", WFVariableName=_word(chance), WFInput=reference)
    elif kind == 1:
        draft.add("showresult", Text=_sentence(chance, 4))
    elif kind == 2:
        draft.add("text.split", WFTextSeparator="New Lines", text=reference)
    else:
        group = draft.new_id()
        condition = {"WFCondition": 99, "WFConditionalActionString": _word(chance)}
        opening = {"Type": "Variable", "Variable": reference}
        draft.control("conditional", group, 0, WFInput=opening, **condition)
        draft.add("notification", WFNotificationActionBody=_sentence(chance, 5))
        draft.control("conditional", group, 2)


def _word(chance: Random) -> str:
    return "".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4)))


def _sentence(chance: Random, words: int) -> str:
    return " ".join(_word(chance) for _ in range(words)).capitalize()


def _pages(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of responses of a site; each lists `PER_PAGE` shortcuts."""
    for start in range(0, count, PER_PAGE):
        listed = [_listing(number, seed) for number in range(start, min(count, start + PER_PAGE))]
        yield f"page-{start // PER_PAGE:06d}.json", json.dumps({"results": listed}).encode()


def _listing(number: int, seed: int) -> dict[str, object]:
    chance = Random(f"{seed}/listing/{number}")  # noqa: S311  made data, no secret
    return {
        "id": number + 1,
        "title": _sentence(chance, 3),
        "summary": _sentence(chance, 12),
        "votes": chance.randrange(1000),
        "downloadURL": f"/download/{number + 1}.shortcut",
        "user": {"name": _word(chance)},
    }


def _write_archives(folder: Path, stem: str, members: Iterator[tuple[str, bytes]]) -> None:
    """Write files into archives of at most `PER_ARCHIVE` files; equal files give equal bytes."""
    folder.mkdir(parents=True)
    for part, numbered in groupby(enumerate(members), lambda pair: pair[0] // PER_ARCHIVE):
        path = folder / f"{stem}-{part:05d}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for _, (name, data) in numbered:
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)


def _write_definitions(folder: Path, count: int, seed: int) -> None:
    for start in range(0, count, PER_ARCHIVE):
        part_folder = folder / f"{start // PER_ARCHIVE:05d}"
        part_folder.mkdir(parents=True)
        actions = {}
        for number in range(start, min(count, start + PER_ARCHIVE)):
            chance = Random(f"{seed}/definition/{number}")  # noqa: S311  made data, no secret
            actions[f"com.example.made{number // 10}.action{number}"] = {
                "ActionClass": "WFMadeAction",
                "Name": _sentence(chance, 2),
                "Description": {"DescriptionSummary": _sentence(chance, 8)},
                "Parameters": [
                    {
                        "Class": "WFTextInputParameter",
                        "Key": f"Key{parameter_number}",
                        "Label": _word(chance),
                    }
                    for parameter_number in range(chance.randint(1, 5))
                ],
            }
        (part_folder / "WFActions.json").write_text(json.dumps(actions))


def write_dialogues(folder: Path, count: int, seed: int) -> None:
    """Write dialogues of one service in the layout of Schema-Guided Dialogue."""
    folder.mkdir(parents=True)
    (folder / "schema.json").write_text(json.dumps([_SERVICE]))
    for start in range(0, count, PER_FILE):
        rows = [_dialogue(number, seed) for number in range(start, min(count, start + PER_FILE))]
        name = f"dialogues_{start // PER_FILE + 1:05d}.json"
        (folder / name).write_text(json.dumps(rows))


_SLOTS = ("town", "dish", "guests")
_SERVICE = {
    "service_name": "Tables_1",
    "description": "Tables in places to eat",
    "slots": [
        {"name": name, "description": f"The {name}", "is_categorical": False, "possible_values": []}
        for name in (*_SLOTS, "place")
    ],
    "intents": [
        {
            "name": "FindTable",
            "description": "Finds a table where a dish is served",
            "is_transactional": False,
            "required_slots": list(_SLOTS),
            "optional_slots": {},
            "result_slots": [*_SLOTS, "place"],
        }
    ],
}


def _dialogue(number: int, seed: int) -> dict[str, object]:
    same = number - (number % TEMPLATE == TEMPLATE - 1)
    chance = Random(f"{seed}/dialogue/{same}")  # noqa: S311  made data, no secret
    slot_values = {
        "town": f"{_word(chance).capitalize()} {same}",
        "dish": _word(chance),
        "guests": str(chance.randint(1, 9)),
    }
    guests = f"{slot_values['guests']} who like {slot_values['dish']}"
    text = f"Find me a table in {slot_values['town']} for {guests}"
    acts = [_act("INFORM", slot, value) for slot, value in slot_values.items()]
    user_frame = {
        "actions": [*acts, _act("INFORM_INTENT", "intent", "FindTable")],
        "service": "Tables_1",
        "slots": [
            {
                "slot": slot,
                "start": text.index(value),
                "exclusive_end": text.index(value) + len(value),
            }
            for slot, value in slot_values.items()
        ],
        "state": {
            "active_intent": "FindTable",
            "requested_slots": [],
            "slot_values": {slot: [value] for slot, value in slot_values.items()},
        },
    }
    venue = _word(chance).capitalize()
    system_frame = {
        "actions": [_act("OFFER", "place", venue)],
        "service": "Tables_1",
        "slots": [],
        "service_call": {"method": "FindTable", "parameters": slot_values},
        "service_results": [{**slot_values, "place": venue}],
    }
    return {
        "dialogue_id": f"1_{number:08d}",
        "services": ["Tables_1"],
        "turns": [
            {"speaker": "USER", "utterance": text, "frames": [user_frame]},
            {"speaker": "SYSTEM", "utterance": f"There is {venue}.", "frames": [system_frame]},
        ],
    }


def _act(act: str, slot: str, value: str) -> dict[str, object]:
    return {"act": act, "slot": slot, "values": [value], "canonical_values": [value]}


def main() -> None:
    """Write inputs as the command line requests, and print their expected counts as JSON."""
    count, folder, *options = sys.argv[1:]
    seed = int(options[1]) if options[:1] == ["--seed"] else 1
    planted = write_world(int(count), Path(folder), seed)
    sys.stdout.write(msgspec.json.encode(planted).decode() + "\n")


if __name__ == "__main__":
    main()
