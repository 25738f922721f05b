"""Helpers for tests of formats: files in memory, readers by name, and exports."""

from functools import partial
from pathlib import Path

from benchloom.exchange.examples import Example
from benchloom.exchange.formats import FORMATS, Loss, Reading, Writing, WritingOptions
from benchloom.storage.inputs import SourceObject

OPTIONS = WritingOptions()


def stored_object(name: str, data: bytes) -> SourceObject:
    return SourceObject(name, len(data), partial(bytes, data))


def reader(name: str) -> Reading:
    member = FORMATS.find(name)
    assert isinstance(member, Reading)
    return member


def export(
    name: str, folder: Path, *examples: Example, options: WritingOptions = OPTIONS
) -> list[tuple[Loss, ...]]:
    """Write the examples into the folder; return the losses of each, which the format explains."""
    member = FORMATS.find(name)
    assert isinstance(member, Writing)
    folder.mkdir(parents=True, exist_ok=True)
    writer = member.writer(folder, options)
    losses = [writer.add(example) for example in examples]
    writer.close()
    for loss in (loss for example_losses in losses for loss in example_losses):
        assert loss.kind in member.losses, f"{loss.kind} is explained nowhere"
    return losses
