"""The data that checks need about a generated text."""

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value, the name of its parameter, and other names that people use for the value.

    `label` is the common name of the parameter ("number of guests") and `about` is the
    definition's text about the parameter; both are empty if unknown. `quote` has the words of the
    text in which a judge saw the value.
    """

    value: str
    name: str = ""
    titles: tuple[str, ...] = ()
    label: str = ""
    about: str = ""
    quote: str = ""


class Call(msgspec.Struct, frozen=True, gc=False):
    """An API call to which a text must allude.

    `words` are the texts that name the call (app, API, title, description); `values` are values
    that only this call has.
    """

    words: tuple[str, ...]
    values: tuple[Value, ...] = ()


class Statement(msgspec.Struct, frozen=True, gc=False):
    """The assistant's words in a conversation, and the texts from which their values may come."""

    text: str
    sources: tuple[str, ...]


class Subject(msgspec.Struct, frozen=True):
    """A generated text with all data against which the checks compare it.

    `required` values must be stated; `hidden` values must not be stated. `prompt` is the
    instruction part of the text's prompt and `sources` are the third-party texts in the prompt.
    `technical` are names of actions, variables, APIs and parameters, which a person would not say;
    `descriptions` are the definitions' descriptions of the APIs used, which no text may copy.
    `passes_alone` is False for a text that a check of single texts drops: no other text is compared
    with it. `style` is the style that the prompt required and `category` the category in a label;
    both are empty for other texts. `statements` are the assistant's words, if the text begins a
    conversation.
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
    style: str = ""
    category: str = ""
    statements: tuple[Statement, ...] = ()

    def without_values(self) -> str:
        """Return the text with a blank in place of each required value."""
        text = self.text
        for entry in self.required:
            text = text.replace(entry.value, " ")
        return text
