"""From the INPUT arguments of a command to one stable list of objects."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
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
    for file, source_uri, is_file, fault in _files(inputs, within):
        found = _open_file(file, source_uri, stack, bounds, is_file=is_file)
        objects += found if fault is None else [fault]
    if within is not None:
        objects = [one for one in objects if within.reaches(one.source_uri)]
    elif not objects:
        raise _nothing(inputs)
    return sorted(objects, key=lambda found: found.source_uri)


def each_object(
    inputs: Sequence[Path], limits: InputLimits | None = None
) -> Iterator[SourceObject]:
    """The objects of `list_objects` one after another, file by file and not sorted.

    An archive is open until the next file: nothing is held of objects that are done with.

    Raises:
        RunError: an input does not exist, or there is no object at all.
    """
    bounds = limits or InputLimits()
    found = False
    for file, source_uri, is_file, fault in _files(inputs, None):
        with ExitStack() as stack:
            inside = _open_file(file, source_uri, stack, bounds, is_file=is_file)
            for one in inside if fault is None else [fault]:
                found = True
                yield one
    if not found:
        raise _nothing(inputs)


def _nothing(inputs: Sequence[Path]) -> RunError:
    return RunError(f"nothing to read under {', '.join(map(str, inputs)) or 'no input'}")


def _files(
    inputs: Sequence[Path], within: Stretch | None
) -> Iterator[tuple[str, str, bool, SourceObject | None]]:
    """Every file with its name, and the object that stands for one which cannot be read.

    Between them whether it is a regular file.
    """
    for path, label in zip(inputs, input_labels(inputs), strict=True):
        if not path.is_dir():
            refuse_no_file(path)
            yield str(path), label, True, None
            continue
        prefix = f"{label}/" if label else ""
        reached = partial(_may_reach, within, prefix)
        for file, place, problem, is_file in iter_files(path, reached):
            source_uri = prefix + readable_name(place)
            if problem is None:
                yield file, source_uri, is_file, None
            else:
                fault = SourceObject(source_uri, 0, unreadable(problem.reason, problem.message))
                yield file, source_uri, is_file, fault


def _may_reach(within: Stretch | None, prefix: str, place: str) -> bool:
    return within is None or within.may_reach(prefix + readable_name(place))


def _open_file(
    file: str, source_uri: str, stack: ExitStack, limits: InputLimits, *, is_file: bool
) -> Iterator[SourceObject]:
    if is_file and is_web_archive(file):
        yield from iter_archive(Path(file), source_uri, limits)
        return
    if not is_file or not is_archive(file):
        yield file_object(file, source_uri, limits)
        return
    path = Path(file)
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
