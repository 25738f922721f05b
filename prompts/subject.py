"""The data that checks need about a generated text."""

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value, the name of its parameter, and the titles people know it by.

    `label` is the common name of the parameter ("number of guests") and `about` its
    definition's text about it; both are empty if unknown.
    """

    value: str
    name: str = ""
    titles: tuple[str, ...] = ()
    label: str = ""
    about: str = ""


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
    part of the prompt it came from and `sources` are the third-party texts in it. `technical`
    are names of actions, variables, APIs and parameters, which a person would not say;
    `descriptions` are what definitions say about the APIs used, which no text may copy.
    `passes_alone` is False for a text that a check of single texts drops: no other text is
    compared with it.
    """

    query_id: str
    kind: str
    text: str
    required: tuple[Value, ...] = ()
    hidden: tuple[Value, ...] = ()
    calls: tuple[Call, ...] = ()
    prompt: str = ""
    sources: tuple[str, ...] = ()
    technical: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    passes_alone: bool = True


def compared(subject: Subject) -> Subject:
    """Reduce a subject to what text comparison needs: the text and its required values."""
    return Subject(subject.query_id, subject.kind, subject.text, required=subject.required)
