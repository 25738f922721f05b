"""Tests of the record of the last rebuild: they check its result and the failure notices."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from benchloom.core.errors import BusyError, GateError, RunError, StoppedError
from benchloom.storage.workspace import workspace_lock
from flows.cli import build_app
from flows.console.interrupts import stopping
from flows.engine.run_record import RECORD, RunRecord, last_run, record_start, recorded
from flows.errors import AfterReleaseError


def read_status(workspace: Path) -> dict[str, object]:
    """Return the object that `status --json` prints."""
    result = CliRunner().invoke(build_app(), ["status", "--workspace", str(workspace), "--json"])
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert isinstance(content, dict)
    return content


def write_config(folder: Path, text: str = "") -> Path:
    """Write a configuration file and return its path."""
    path = folder / "rebuild.toml"
    path.write_text(text)
    return path


def test_release_is_recorded_with_the_explore_command(tmp_path: Path) -> None:
    with recorded(tmp_path, write_config(tmp_path)) as record:
        record.release = tmp_path / "releases" / "0.1.0"
    last_status = read_status(tmp_path)
    assert (last_status["result"], last_status["exit_code"], last_status["usd"]) == (
        "released",
        0,
        0.0,
    )
    assert last_status["next"] == f"benchloom explore {record.release}"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (RunError("no such file"), 2, "no such file"),
        (GateError("1 gate", ("a row is wrong",)), 1, "a row is wrong; 1 gate"),
        (StoppedError("the budget"), 3, "the budget"),
        (ZeroDivisionError("by us"), 1, "ZeroDivisionError: by us"),
        (OSError(28, "disk is full"), 2, "OSError: [Errno 28] disk is full"),
    ],
)
def test_failure_is_recorded_with_its_message(
    tmp_path: Path, error: Exception, code: int, message: str
) -> None:
    with pytest.raises(type(error)), recorded(tmp_path, write_config(tmp_path)):
        raise error
    last_status = read_status(tmp_path)
    assert (last_status["result"], last_status["exit_code"], last_status["message"]) == (
        "failed",
        code,
        message,
    )


def test_failure_after_the_release_records_the_release(tmp_path: Path) -> None:
    release = tmp_path / "releases" / "0.2.0"
    with pytest.raises(AfterReleaseError), recorded(tmp_path, write_config(tmp_path)):
        raise AfterReleaseError(release, [GateError("not published")])
    assert read_status(tmp_path)["release"] == str(release)


def test_interruption_is_recorded_before_the_process_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stopping, "is_said", False)
    with recorded(tmp_path, write_config(tmp_path)):
        stopping.say()  # the last call before the process ends
        assert read_status(tmp_path)["result"] == "interrupted"
    assert read_status(tmp_path)["result"] == "interrupted", "the first end counts"


def test_refused_run_keeps_the_running_runs_record(tmp_path: Path) -> None:
    with workspace_lock(tmp_path), recorded(tmp_path, write_config(tmp_path)):
        record_start()
        with pytest.raises(BusyError), recorded(tmp_path, write_config(tmp_path)):
            raise BusyError("another run")
        assert read_status(tmp_path)["result"] == "running"


@pytest.mark.parametrize("is_held", [True, False])
def test_run_without_its_process_is_killed(tmp_path: Path, is_held: bool) -> None:
    process_id = os.fork()
    if not process_id:
        os._exit(0)
    os.waitpid(process_id, 0)
    with workspace_lock(tmp_path), recorded(tmp_path, write_config(tmp_path)):
        record_start()
        record = last_run(tmp_path)
        assert record is not None
        stale_record = msgspec.structs.replace(
            record, process=process_id if is_held else os.getpid()
        )
        content = msgspec.json.encode(stale_record)
    (tmp_path / RECORD).write_bytes(content)
    if is_held:
        with workspace_lock(tmp_path):
            last_status = read_status(tmp_path)
    else:
        last_status = read_status(tmp_path)
    assert last_status["result"] == "killed"
    assert str(last_status["next"]).startswith("benchloom rebuild --config ")


def test_damaged_record_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / RECORD).write_bytes(b"{")
    with pytest.raises(RunError, match=RECORD):
        last_run(tmp_path)
    result = CliRunner().invoke(build_app(), ["status", "--workspace", str(tmp_path / "none")])
    assert isinstance(result.exception, RunError)


def test_status_of_an_empty_workspace_names_the_first_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_status(tmp_path)["next"] == "benchloom init"
    write_config(tmp_path)
    assert read_status(tmp_path)["next"] == "benchloom rebuild"


def test_failure_command_receives_the_failure_on_stdin(tmp_path: Path) -> None:
    path = write_config(tmp_path, f"on_failure = \"cat > '{tmp_path}/notice.json'\"\n")
    with pytest.raises(RunError), recorded(tmp_path, path):
        raise RunError("no such file")
    notice = json.loads((tmp_path / "notice.json").read_text())
    assert notice == {"workspace": str(tmp_path), "error": "no such file", "exit_code": 2}


def test_failing_failure_command_is_a_warning(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        pytest.raises(RunError),
        recorded(tmp_path, write_config(tmp_path, 'on_failure = "exit 7"\n')),
    ):
        raise RunError("no such file")
    assert "benchloom: warning: on_failure: the command: exit code 7" in capfd.readouterr().err


@pytest.fixture
def notice_server() -> Iterator[tuple[str, list[bytes]]]:
    """Yield the address of a loopback server and the list of bodies it receives."""
    bodies: list[bytes] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(500 if self.path == "/broken" else 204)
            self.end_headers()

        def log_message(self, *words: object) -> None:
            del words

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", bodies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("url_path", ["/hook", "/broken"])
def test_failure_url_receives_the_failure_without_being_printed(
    tmp_path: Path,
    notice_server: tuple[str, list[bytes]],
    url_path: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    address, bodies = notice_server
    path = write_config(tmp_path, f'on_failure = "{address}{url_path}"\n')
    with pytest.raises(StoppedError), recorded(tmp_path, path):
        raise StoppedError("the budget")
    assert [json.loads(body)["exit_code"] for body in bodies] == [3]
    warning = capfd.readouterr().err
    assert ("warning: on_failure: 127.0.0.1: " in warning) == (url_path == "/broken")
    assert url_path not in warning


def test_written_record_is_read_unchanged(tmp_path: Path) -> None:
    with recorded(tmp_path, write_config(tmp_path)):
        pass
    record = msgspec.json.decode((tmp_path / RECORD).read_bytes(), type=RunRecord)
    assert record == last_run(tmp_path)
