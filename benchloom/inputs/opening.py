"""From the INPUT arguments of a command to one stable list of objects."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchloom.errors import RejectedInputError, RunError
from benchloom.inputs.archive import is_archive, iter_members, open_archive
from benchloom.inputs.folder import file_object, iter_files, refuse_no_file
from benchloom.inputs.objects import InputLimits, SourceObject, readable_name, unreadable
from benchloom.inputs.stretches import Stretch
from benchloom.inputs.web_archive import iter_archive
from benchloom.web_archive import is_web_archive


def list_objects(
    inputs: Sequence[Path],
    stack: ExitStack,
    limits: InputLimits | None = None,
    within: Stretch | None = None,
) -> list[SourceObject]:
    """Every object under the inputs, sorted by `source_uri` whatever the order of the inputs.

    A `source_uri` is the path under its INPUT: the file's own name, the path below a folder,
    `archive.zip!member`, or `archive.warc.gz!url` for a web archive. Inputs of the same name are
    told apart by their parent folders.
    `stack` keeps archives open; close it when the objects are read. With a stretch `within` the
    list only those that it reaches are listed, and what can hold none of them stays closed.

    Raises:
        RunError: an input does not exist, or there is no object at all.
    """
    bounds = limits or InputLimits()
    objects: list[SourceObject] = []
    for path, label in zip(inputs, input_labels(inputs), strict=True):
        objects.extend(_open(path, label, stack, bounds, within))
    if within is not None:
        objects = [one for one in objects if within.reaches(one.source_uri)]
    elif not objects:
        raise RunError(f"nothing to read under {', '.join(map(str, inputs)) or 'no input'}")
    return sorted(objects, key=lambda found: found.source_uri)


def _open(
    path: Path, label: str, stack: ExitStack, limits: InputLimits, within: Stretch | None
) -> Iterator[SourceObject]:
    if path.is_dir():
        prefix = f"{label}/" if label else ""

        def reached(place: str) -> bool:
            return within is None or within.may_reach(prefix + readable_name(place))

        for file, place, problem in iter_files(path, reached):
            source_uri = prefix + readable_name(place)
            if problem is not None:
                yield SourceObject(source_uri, 0, unreadable(problem.reason, problem.message))
            else:
                yield from _open_file(file, source_uri, stack, limits)
    else:
        refuse_no_file(path)
        yield from _open_file(path, label, stack, limits)


def _open_file(
    path: Path, source_uri: str, stack: ExitStack, limits: InputLimits
) -> Iterator[SourceObject]:
    is_file = path.is_file()
    if is_file and is_web_archive(path):
        yield from iter_archive(path, source_uri, limits)
        return
    if not is_file or not is_archive(path):
        yield file_object(path, source_uri, limits)
        return
    try:
        archive = stack.enter_context(open_archive(path, path.name))
    except RejectedInputError as error:
        yield SourceObject(source_uri, 0, unreadable(error.reason, error.message))
        return
    yield from iter_members(archive, source_uri, limits)


def input_labels(inputs: Sequence[Path]) -> list[str]:
    """A name for each input: empty for a single folder, else the shortest distinct path tail."""
    if len(inputs) == 1 and inputs[0].is_dir():
        return [""]
    resolved = [path.resolve() for path in inputs]
    if len(set(resolved)) != len(resolved):
        raise RunError("an input is given twice")
    for depth in range(1, max((len(path.parts) for path in resolved), default=1) + 1):
        labels = ["/".join(path.parts[-depth:]) for path in resolved]
        if len(set(labels)) == len(labels):
            return labels
    return [path.as_posix() for path in resolved]
