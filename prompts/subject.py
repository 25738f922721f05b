"""Define a generated text together with the data that checks compare it with."""

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value of a parameter, with other names that people use for this value.

    `name` is the parameter's technical name, `label` its everyday name ("number of guests"), and
    `about` its description; each is empty if unknown. `titles` are other names of the value.
    `quote` is the passage of the text that states the value according to a judge.
    """

    value: str
    name: str = ""
    titles: tuple[str, ...] = ()
    label: str = ""
    about: str = ""
    quote: str = ""


class Call(msgspec.Struct, frozen=True, gc=False):
    """An API call to which a text must allude.

    `words` name the call (app, API, title, description). `values` are values that no other call of
    the plan has.
    """

    words: tuple[str, ...]
    values: tuple[Value, ...] = ()


class Statement(msgspec.Struct, frozen=True, gc=False):
    """The words of the assistant in one turn, and the texts from which its values may come."""

    text: str
    sources: tuple[str, ...]


class Subject(msgspec.Struct, frozen=True):
    """A generated text with all data that checks compare it with.

    `required` values must be stated, and `hidden` values must not be stated. `prompt` has the
    instructions of the text's prompt, and `sources` are the untrusted texts in the prompt.
    `technical` are names of actions, variables, APIs and parameters, which a person would not say.
    `descriptions` are the descriptions of the APIs used, which no text may copy. `passes_alone` is
    False for a text that a check of single texts drops, so that no other text is compared with it.
    `style` is the style that the prompt required, and `category` the category in a label; each is
    empty for other texts. `statements` are the assistant's words if the text begins a conversation.
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
