"""AppBench's result texts: `a, b = api(#k='v', #k=output)`, in which nothing is escaped.

The supplied values are stored as data beside the text, so that a text is never split at its
commas: it only shows which arguments are the names of outputs.
"""

from collections.abc import Mapping, Sequence


def bare_names(
    text: str, api: str, returns: Sequence[str], supplied: Mapping[str, str]
) -> dict[str, str] | None:
    """Map arguments that name an output to its name; None if text and data disagree."""
    head = f"{', '.join(returns)} = {api}("
    if not text.startswith(head):
        return None
    rest = text[len(head) :]
    output_names: dict[str, str] = {}
    names = list(supplied)
    for index, name in enumerate(names):
        key = f"{', ' if index else ''}#{name}="
        if not rest.startswith(key):
            return None
        rest = rest[len(key) :]
        quoted = f"'{supplied[name]}'"
        end = f", #{names[index + 1]}=" if index + 1 < len(names) else ")"
        if rest.startswith(quoted + end):
            rest = rest[len(quoted) :]
            continue
        bare, _, _ = rest.partition(end)
        if len(bare) == len(rest) or not bare:
            return None
        output_names[name] = bare
        rest = rest[len(bare) :]
    return output_names if rest == ")" else None
