"""Check that a remote worker with other files or other code is refused before it starts."""

from pathlib import Path

import msgspec
import pytest

from flows.errors import EngineError
from flows.run.engines._remote import facts_here, keep, look, make, probe_for
from tests.contracts.test_engines import faulty_stage


def test_worker_with_equal_files_and_code_has_no_fault(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"one")
    run = tmp_path / "run"
    probe = probe_for(run, [tmp_path, tmp_path / "input", tmp_path / "not there"])
    assert look(probe) is None


def test_workspace_that_is_not_shared_is_named(tmp_path: Path) -> None:
    probe = probe_for(tmp_path / "w" / "run", [])
    elsewhere = msgspec.structs.replace(probe, folder=tmp_path / "v" / "run")
    fault = look(elsewhere)
    workspace = f"cannot read the workspace {tmp_path / 'v'}"
    assert fault == f"{workspace} (No such file or directory); share it with the worker"
    (tmp_path / "w" / "run" / "probe").write_text("that of another run")
    assert str(look(probe)).startswith(f"cannot read the workspace {tmp_path / 'w'}")


@pytest.mark.parametrize("content", [b"other length", None])
def test_missing_or_different_input_is_named(tmp_path: Path, content: bytes | None) -> None:
    input_path = tmp_path / "input"
    input_path.write_bytes(b"content")
    probe = probe_for(tmp_path / "run", [input_path])
    input_path.unlink()
    if content is not None:
        input_path.write_bytes(content)
    fault = f"sees another file or no file at the input {input_path}"
    assert look(probe) == f"{fault}; share the inputs with it"


def test_different_code_and_packages_are_named(tmp_path: Path) -> None:
    probe = probe_for(tmp_path / "run", [])
    facts = facts_here()
    others = msgspec.structs.replace(
        facts, code="other", python="2.7", packages=facts.packages | {"pyarrow": "0.1"}
    )
    local_version = facts.packages["pyarrow"]
    assert look(msgspec.structs.replace(probe, facts=others)) == (
        f"has another version of benchloom's code, Python {facts.python} (here 2.7), "
        f"pyarrow {local_version} (here 0.1); install the same versions there"
    )


def test_late_worker_is_checked_before_it_makes_a_shard(tmp_path: Path) -> None:
    work = faulty_stage(tmp_path / "stage").shard_work()
    facts = facts_here()
    stored_work = keep(work, tmp_path, facts)
    assert make(stored_work, 0).number == 0
    with pytest.raises(EngineError, match="another version of benchloom's code"):
        make(
            msgspec.structs.replace(stored_work, facts=msgspec.structs.replace(facts, code="x")), 0
        )
    missing_work = msgspec.structs.replace(stored_work, path=tmp_path / "gone.work")
    with pytest.raises(EngineError, match=r"a worker lacks .*gone\.work"):
        make(missing_work, 0)
    stored_work.path.write_bytes(b"changed")
    with pytest.raises(EngineError, match="changed since the run wrote it"):
        make(msgspec.structs.replace(stored_work, digest="f" * 64), 0)
