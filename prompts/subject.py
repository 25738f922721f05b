"""What a check needs to know about a generated text."""

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value, the name of its parameter, and the titles people know it by."""

    value: str
    name: str = ""
    titles: tuple[str, ...] = ()


class Call(msgspec.Struct, frozen=True, gc=False):
    """A call a text must allude to.

    `words` are the texts that name it (app, API, title, description); `values` are values only
    this call has.
    """

    words: tuple[str, ...]
    values: tuple[Value, ...] = ()


class Subject(msgspec.Struct, frozen=True):
    """One generated text with everything its checks compare it to.

    `required` values must be stated; `hidden` values must not be. `prompt` is the instruction
    part of the prompt it came from and `sources` are the strangers' texts in it.
    """

    query_id: str
    kind: str
    text: str
    required: tuple[Value, ...] = ()
    hidden: tuple[Value, ...] = ()
    calls: tuple[Call, ...] = ()
    prompt: str = ""
    sources: tuple[str, ...] = ()
