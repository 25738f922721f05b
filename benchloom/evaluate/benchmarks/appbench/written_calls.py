"""Write calls as gold records, or as text in the form that the published prompt requests."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.records.values import Plain, refs_in
from benchloom.exchange.examples import Call, Example, Ref
from benchloom.exchange.examples.plans import plan_of
from benchloom.exchange.formats.appbench import argument_text, output_of, result_texts

_NEEDS_ESCAPES = re.compile(r"[\\\n\r\x00-\x1f]|'\s*[,)#]")
_ESCAPES = {"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r"}


class _OutputNames(msgspec.Struct, frozen=True):
    labels: list[tuple[str, ...]]
    names: dict[tuple[int, str], str]


def fits_record(calls: Sequence[Call]) -> bool:
    """Whether a published record can store the calls.

    It can if the arguments of each call have distinct names, and each value is a text or a single
    output of an earlier call.
    """
    return all(_fits_record(call, step, calls) for step, call in enumerate(calls))


def record_of(calls: Sequence[Call], *, renamed: bool = False) -> Plain:
    """Write calls as a published record, or as the `steps` of a plan if no record can store them.

    With `renamed`, every output gets a generated name, so that only its position identifies it.
    """
    if not fits_record(calls):
        return _steps(calls)
    output_names = _output_names(calls, renamed=renamed)
    record: Plain = msgspec.to_builtins(output_of(calls, output_names.labels, output_names.names))
    return record


def call_texts(calls: Sequence[Call]) -> list[str]:
    """Write each call as `r1, r2 = api(#k='v', #l=r1)`, without escapes as in published records."""
    output_names = _output_names(calls)
    return result_texts(calls, output_names.labels, output_names.names)


def text_of(calls: Sequence[Call]) -> str:
    """Write calls as `App: [r1, r2 = app_api(#k='v', #l=r1)]`, with one line per call."""
    output_names = _output_names(calls)
    lines = []
    for step, call in enumerate(calls):
        arguments = []
        for argument in call.arguments:
            output_name = output_names.names.get((step, argument.name))
            arguments.append(f"#{argument.name}={output_name or _quote(argument_text(argument))}")
        labels = ", ".join(output_names.labels[step])
        name = f"{call.app}_{call.api}" if call.app else call.api
        call_text = f"{labels + ' = ' if labels else ''}{name}({', '.join(arguments)})"
        lines.append(f"{call.app + ': ' if call.app else ''}[{call_text}]")
    return "\n".join(lines) or "[]"


def _fits_record(call: Call, step: int, calls: Sequence[Call]) -> bool:
    names = [argument.name for argument in call.arguments]
    if len(set(names)) < len(names):
        return False
    for argument in call.arguments:
        value = argument.value
        if isinstance(value, Ref):
            is_earlier = 0 <= value.step < step
            if value.path or not is_earlier or value.output not in calls[value.step].returns:
                return False
        elif next(refs_in(value), None) is not None:
            return False
    return True


def _steps(calls: Sequence[Call]) -> Plain:
    nothing = Example(
        example_id="", target_id="", source="", source_id="", source_uri="", calls=tuple(calls)
    )
    steps: Plain = msgspec.to_builtins(plan_of(nothing).steps)
    return {"steps": steps}


def _output_names(calls: Sequence[Call], *, renamed: bool = False) -> _OutputNames:
    """Return the names with which texts refer to outputs of calls.

    These are the declared names of outputs, or generated names where the declared names are
    ambiguous: `r1` is the whole result of the first call, `r1.city` is one of its outputs, and
    `city_1` is an output whose name `city` a later call reuses.
    """
    labels = [list(call.returns) for call in calls]
    if renamed:
        labels = [[f"r{n}_{m}" for m in range(len(own))] for n, own in enumerate(labels, 1)]
    references = list(_references(calls))
    whole = {ref.step for _, ref, _ in references if _output_index(ref, calls) is None or ref.path}
    for step in whole:
        labels[step] = [f"r{step + 1}"]
    used = {label for own in labels for label in own}
    names: dict[tuple[int, str], str] = {}
    for _, ref, user in references:
        at = _output_index(ref, calls)
        if at is None or ref.step in whole:
            continue
        if any(labels[ref.step][at] in labels[step] for step in range(ref.step + 1, user)):
            other = f"{ref.output}_{ref.step + 1}"
            while other in used:
                other += "_"
            labels[ref.step][at] = other
            used.add(other)
    for name, ref, user in references:
        at = _output_index(ref, calls)
        parts = [f"r{ref.step + 1}", *(part for part in (ref.output, ref.path.lstrip(".")) if part)]
        if ref.step in whole or at is None:
            is_only = len(calls[ref.step].returns) == 1 and at is not None
            names[user, name] = ".".join(parts[:1] + parts[2:] if is_only else parts)
        else:
            names[user, name] = labels[ref.step][at]
    for step, call in enumerate(calls):
        for argument in call.arguments:
            if isinstance(argument.value, Ref) and (step, argument.name) not in names:
                names[step, argument.name] = f"r{argument.value.step + 1}"
    return _OutputNames([tuple(own) for own in labels], names)


def _references(calls: Sequence[Call]) -> Iterator[tuple[str, Ref, int]]:
    for step, call in enumerate(calls):
        for argument in call.arguments:
            if isinstance(argument.value, Ref) and 0 <= argument.value.step < step:
                yield argument.name, argument.value, step


def _output_index(ref: Ref, calls: Sequence[Call]) -> int | None:
    returns = calls[ref.step].returns
    return returns.index(ref.output) if ref.output in returns else None


def _quote(text: str) -> str:
    if not _NEEDS_ESCAPES.search(text):
        return f"'{text}'"
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return f"'{text}'"
