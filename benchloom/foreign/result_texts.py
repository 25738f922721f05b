"""AppBench's result texts: `a, b = api(#k='v', #k=output)`, in which nothing is escaped.

What is supplied stands beside the text as data, so that a text is never split at its commas: it
only tells which arguments are the names of outputs.
"""

from collections.abc import Mapping, Sequence


def bare_names(
    text: str, api: str, returns: Sequence[str], supplied: Mapping[str, str]
) -> dict[str, str] | None:
    """The arguments that name an output, with its name; None where text and data disagree."""
    head = f"{', '.join(returns)} = {api}("
    if not text.startswith(head):
        return None
    rest = text[len(head) :]
    found: dict[str, str] = {}
    names = list(supplied)
    for place, name in enumerate(names):
        key = f"{', ' if place else ''}#{name}="
        if not rest.startswith(key):
            return None
        rest = rest[len(key) :]
        quoted = f"'{supplied[name]}'"
        end = f", #{names[place + 1]}=" if place + 1 < len(names) else ")"
        if rest.startswith(quoted + end):
            rest = rest[len(quoted) :]
            continue
        bare, _, _ = rest.partition(end)
        if len(bare) == len(rest) or not bare:
            return None
        found[name] = bare
        rest = rest[len(bare) :]
    return found if rest == ")" else None
