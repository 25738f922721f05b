"""This module reports a failed rebuild to the command or the URL in the key `on_failure`."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from benchloom.core.errors import BenchloomError
from flows.configuration.file import read_valid_part

COMMAND_SECONDS = 60.0
REPLY_SECONDS = 10.0


def notify(config: Path, workspace: Path, error: str, exit_code: int) -> None:
    """Run the command, or send the POST request, that the configuration sets for failures.

    Both get one JSON object with workspace, error and exit code. The command gets this object on
    its standard input. If the command or the request fails, only a warning is printed.
    """
    try:
        target = read_valid_part(config).configuration.on_failure
    except (BenchloomError, OSError):  # the rebuild has failed with the same error
        return
    if target is None:
        return
    content = {"workspace": str(workspace.absolute()), "error": error, "exit_code": exit_code}
    body = json.dumps(content, ensure_ascii=False).encode(errors="replace")
    is_url = target.startswith(("http://", "https://"))
    fault = _post(target, body) if is_url else _run(target, body)
    if fault:
        # Only the host of a URL is shown: for many message services the path is a secret.
        name = urlsplit(target).hostname if is_url else "the command"
        sys.stderr.write(f"benchloom: warning: on_failure: {name}: {fault}\n")


def _post(url: str, body: bytes) -> str | None:
    request = Request(url, body, {"Content-Type": "application/json"}, method="POST")  # noqa: S310  the configuration names the URL
    try:
        with urlopen(request, timeout=REPLY_SECONDS):  # noqa: S310  the scheme is checked
            return None
    except URLError as error:
        return str(error.reason)
    except (OSError, ValueError) as error:
        return str(error)


def _run(command: str, body: bytes) -> str | None:
    process = subprocess.Popen(  # noqa: S602  a command of the user's own configuration
        command,
        shell=True,
        stdin=subprocess.PIPE,
        stdout=sys.stderr.fileno(),
        start_new_session=True,
    )
    try:
        process.communicate(body, timeout=COMMAND_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return f"it was stopped after {COMMAND_SECONDS:g} s; use a faster command"
    return f"exit code {process.returncode}" if process.returncode else None
