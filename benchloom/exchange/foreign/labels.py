"""Convert label references such as `$var1$` or `$var1.field$` to references to results, and back.

A text between dollar signs is a label if the record defines it, or if it looks like `var1` or
`var_1`; other texts between dollar signs remain texts.
"""

import re
from collections.abc import Iterable, Mapping

from benchloom.core.records.values import Composed, Plain, Ref, Value
from benchloom.exchange.examples import Example

_REFERENCE = re.compile(r"\$([A-Za-z_]\w*)((?:\.|\[)[^$]*)?\$")
_LIKE = re.compile(r"(?<=\$)([A-Za-z_]\w*)")
_USUAL = re.compile(r"var_?\d+")
_INDEX = re.compile(r"\[[^\]]*\]")
_HEAD = re.compile(r"[^.\[]*")


class Labels:
    """Replaces the labels of a record's calls by references, and collects faulty labels.

    `every` contains the labels of all calls, in order. If several calls have the same label, a
    reference to it means the latest earlier one of them; `repeated` collects these labels.
    `undefined` collects labels in references that belong to no call.
    """

    def __init__(self, every: Iterable[str]) -> None:
        self._steps: dict[str, int] = {}
        self._outputs: list[frozenset[str] | None] = []
        self._last: dict[str, int] = {}
        self.undefined: dict[str, None] = {}
        self.repeated: dict[str, None] = {}
        for step, label in enumerate(every):
            self._last[label] = step

    def add(self, label: str, outputs: frozenset[str] | None) -> None:
        """Add the label of the next call, with the outputs of its tool.

        `outputs` is None if the tool is unknown.
        """
        if label in self._steps:
            self.repeated[label] = None
        self._steps[label] = len(self._outputs)
        self._outputs.append(outputs)

    def value(self, plain: Plain) -> Value:
        """Replace labels such as `$var1$` in a value with references to the results of calls.

        A label that belongs to no call remains a text.
        """
        if isinstance(plain, str):
            return self._text(plain)
        if isinstance(plain, list):
            return [self.value(item) for item in plain]
        if isinstance(plain, dict):
            return {name: self.value(item) for name, item in plain.items()}
        return plain

    def _text(self, text: str) -> Value:
        parts: list[str | Ref] = []
        start = 0
        match = _REFERENCE.search(text)
        while match is not None:
            ref = self._ref(match[1], match[2] or "")
            if ref is not None:
                if match.start() > start:
                    parts.append(text[start : match.start()])
                parts.append(ref)
                start = match.end()
            # The closing sign of a text that is no label may open a label, as in `$USD$var1$`.
            match = _REFERENCE.search(text, match.start() + 1 if ref is None else start)
        if not parts:
            return text
        if start < len(text):
            parts.append(text[start:])
        if len(parts) == 1:
            return parts[0]
        return Composed(tuple(parts))

    def _ref(self, label: str, rest: str) -> Ref | None:
        # A label of a later call becomes a reference too, so that the fault can be found.
        step = self._steps.get(label, self._last.get(label))
        if step is None:
            if _USUAL.fullmatch(label):
                self.undefined[label] = None
            return None
        if not rest:
            return Ref(step)
        outputs = self._outputs[step] if step < len(self._outputs) else None
        return Ref(step, *_split(rest, outputs))


def _split(rest: str, outputs: frozenset[str] | None) -> tuple[str | None, str]:
    """Split the text after a label into the name of an output and a path inside the output.

    Nested outputs are declared as `outer.inner`. If no outputs are declared inside an output, every
    path into it is valid. If the tool declares no outputs, the first word is the output.
    """
    whole = rest.removeprefix(".")
    if rest.startswith("["):
        return None, rest
    if outputs is not None and whole in outputs:
        return whole, ""
    head = _HEAD.match(whole)
    first = head[0] if head else whole
    if outputs is None or _INDEX.sub("", whole) in outputs:
        return first, whole[len(first) :]
    nested = any(name.startswith(f"{first}.") for name in outputs)
    return (whole, "") if nested or first not in outputs else (first, whole[len(first) :])


def label_text(ref: Ref, prefix: str) -> str:
    """Write a reference as a label: with the prefix `var`, the result of call 0 is `$var1$`."""
    output = "" if ref.output is None else f".{ref.output}"
    return f"${prefix}{ref.step + 1}{output}{ref.path}$"


def free_prefix(example: Example, usual: str) -> str:
    """Return a prefix for labels that no text of the example contains.

    This is `usual`, with underscores appended if it is in use.
    """
    used_prefixes = {match[1] for text in _texts(example) for match in _LIKE.finditer(text)}
    prefix = usual
    while any(f"{prefix}{step + 1}" in used_prefixes for step in range(len(example.calls))):
        prefix += "_"
    return prefix


def _texts(example: Example) -> Iterable[str]:
    values: list[Value] = [argument.value for call in example.calls for argument in call.arguments]
    if isinstance(example.answer, str | list | dict | Composed):
        values.append(example.answer)
    while values:
        value = values.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Composed):
            yield "".join(part if isinstance(part, str) else "" for part in value.parts)
        elif isinstance(value, list):
            values += value
        elif isinstance(value, Mapping):
            values += value.values()
