"""Write texts without a model, from phrases and functions that combine them.

A request's style selects its sentence pattern, and a digest of the row selects the wording.
"""

import hashlib

SHAPES: dict[str, tuple[str, ...]] = {
    "terse": ("{Wish}.", "Just {wish}."),
    "polite": ("Could you please {wish}?", "Would you mind helping me? Please {wish}."),
    "indirect": ("It would help me a lot if you could {wish}.",),
    "with_reason": ("I do not want to do this by hand every time, so please {wish}.",),
    "spoken": ("Hey, can you {wish}?", "OK, so I want you to {wish}."),
}
"""The sentence patterns of a request, by style; `{wish}` is what the user wants."""


NAMED_SHAPE = 'I need this for what I call "{name}", so please {wish}.'
"""The sentence pattern that gives the name of a shortcut as the reason of the request."""


def shape_of(style: str, choice: "Choice") -> str:
    """Return a sentence pattern of a style, or any pattern if the style is unknown."""
    style_shapes = SHAPES.get(style) or tuple(
        shape for shapes in SHAPES.values() for shape in shapes
    )
    return choice.of(style_shapes)


def in_shape(shape: str, wish: str, name: str) -> str:
    """Insert a request into a sentence pattern.

    A request that ends in a quotation with a full stop gets no second full stop.
    """
    text = shape.format(wish=wish, Wish=f"{wish[:1].upper()}{wish[1:]}", name=name)
    return text[:-1] if text.endswith(('.".', '!".', '?".')) else text


def join(parts: list[str]) -> str:
    """Join the parts of a sentence with commas, and the last part with "and"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def is_awkward(name: str) -> bool:
    """Whether people would avoid a name, because it is long or contains code or an address."""
    return len(name) > 60 or any(mark in name for mark in ("://", "{", "<", "@", "\\", ":"))


class Choice:
    """A selector of wordings by the digest of a row, so that equal rows get equal wordings."""

    def __init__(self, row: str) -> None:
        self._bytes = hashlib.sha256(row.encode("utf-8", "backslashreplace")).digest()
        self._next = 0

    def of(self, options: tuple[str, ...]) -> str:
        """Return the option that the next byte of the digest selects."""
        self._next += 1
        return options[self._bytes[self._next % len(self._bytes)] % len(options)]
