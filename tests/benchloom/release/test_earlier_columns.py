"""Check that a release of an earlier version with other columns is refused with the remedy."""

from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

import benchloom
from benchloom.core.errors import GateError
from benchloom.release import check_release, read_manifest
from tests.support.samples.small_release import replace_entry, reseal, small_release


@pytest.mark.parametrize("writer", ["0.1.0", benchloom.__version__])
def test_missing_columns_are_reported_with_the_writing_version(writer: str, tmp_path: Path) -> None:
    release = small_release(tmp_path)
    (file,) = release.glob("rejected/*.parquet")
    pq.write_table(pq.read_table(file).drop_columns("message"), file)
    replace_entry(release, file)
    reseal(release, made=msgspec.structs.replace(read_manifest(release).made, benchloom=writer))
    with pytest.raises(GateError) as caught:
        check_release(release)
    text = "\n".join(caught.value.findings)
    assert "columns differ from datasets/rejected/dataset.yaml (missing: message)" in text
    assert ("benchloom 0.1.0 wrote this release" in text) == (writer != benchloom.__version__)
