"""What describing earlier releases found out in a workspace, so that it is not found out again."""

import sys
from contextlib import AbstractContextManager
from pathlib import Path

from benchloom.cleaning import REUSED
from benchloom.code_digests.release_code import describing_code
from benchloom.identity import digest_of_parts
from benchloom.release.describing.remembering import remembering_results
from flows.stages.sharded import stage_path


def remembering_descriptions(workspace: Path) -> AbstractContextManager[None]:
    """Know what was found out for the documents of releases in a workspace, and leave it there.

    A run forgets what it did not meet again, so the store grows with the newest release alone.
    """
    code = digest_of_parts("described", [sys.version, describing_code()])
    return remembering_results(stage_path(workspace / REUSED, "described", code))
