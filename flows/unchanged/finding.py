"""Whether a rebuild has anything to do, and the mark that lets the next one know."""

from pathlib import Path

from benchloom.errors import BenchloomError
from benchloom.sealing import changed_files, unknown_entries
from benchloom.workspace import sound_mark
from flows.unchanged.looking import digest_of_inputs, digest_of_names, digest_of_releases
from flows.unchanged.mark import RELEASES, RebuildMark, read_rebuild_mark


def unchanged(workspace: Path, asked: str) -> RebuildMark | None:
    """The mark of the last rebuild, None when this one has something to do or to say.

    What is wrong with a workspace is for the rebuild to find out and to tell.
    """
    mark = read_rebuild_mark(workspace)
    if mark is None or difference(workspace, asked, mark) is not None:
        return None
    return mark


def difference(workspace: Path, asked: str, mark: RebuildMark) -> str | None:
    """What is not as a mark has it, in a few words; None when everything is.

    What costs least is compared first.
    """
    if mark.asked != asked:
        return "the configuration, the code or what runs it"
    try:
        if digest_of_releases(workspace / RELEASES) != mark.releases:
            return "the releases"
        # What is new has a name, mostly, and names are soon told.
        if digest_of_names(mark.inputs) != mark.names:
            return "an input"
        if digest_of_inputs(mark.inputs) != mark.read:
            return "an input"
        for stage in mark.stages:
            found = sound_mark(workspace / stage.folder)
            if found is None or found.seal != stage.seal:
                return f"the stage in {stage.folder}"
        return _release_difference(mark.folder(workspace), mark)
    except (OSError, BenchloomError) as error:
        return str(error)


def _release_difference(folder: Path, mark: RebuildMark) -> str | None:
    for name, fault in changed_files(folder, mark.files):
        return f"{name}: {fault}"
    known = [file.path for file in mark.files]
    for name, kind in unknown_entries(folder, known, apart=mark.may_join):
        return f"{name}: a {kind} that is not of the release"
    return None
