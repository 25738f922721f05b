"""What the user said in a dialogue that a plan was made from."""

import msgspec


class Utterance(msgspec.Struct, frozen=True, gc=False):
    """One turn of the user; `turn` is its place among all turns of the dialogue, from 0."""

    turn: int
    text: str


class Dialogue(msgspec.Struct, frozen=True, gc=False):
    """The user's words of one dialogue, with the rights in them.

    `dialogue_id` is the digest of `source`, `split` (both as the dataset has them) and
    `source_id`; the dialogue stands among the `dialogues` of the plan `path_id`. `licence` and
    `attribution` are what the dataset asks of those who pass its words on. `is_whole` is false
    where a turn was too long, was no text, or stood behind too many others.
    """

    dialogue_id: str
    source: str
    source_id: str
    source_uri: str
    split: str
    path_id: str
    licence: str
    attribution: str
    utterances: tuple[Utterance, ...]
    is_whole: bool = True
