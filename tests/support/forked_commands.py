"""A `benchloom` for scripts that is forked as `tests/support/commands.py` does it.

What a script types is found in a folder of PATH. A small program there asks this process for the
command over a socket; words that are kept apart start the installed command instead.
"""

import json
import socketserver
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.commands import benchloom

_PROGRAM = """#!{python} -IS
import json, os, socket, sys
words = sys.argv[1:]
if words[:1] and words[0] in {apart!r}:
    os.execv({real!r}, [{real!r}, *words])
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({address!r})
    told = {{"words": words, "cwd": os.getcwd(), "env": dict(os.environ)}}
    asked.sendall(json.dumps(told).encode())
    asked.shutdown(socket.SHUT_WR)
    done = json.loads(b"".join(iter(lambda: asked.recv(65536), b"")))
sys.stdout.write(done["out"])
sys.stderr.write(done["err"])
sys.exit(done["code"])
"""


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


class _Asked(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        told = json.loads(self.rfile.read())
        done = benchloom(*told["words"], cwd=Path(told["cwd"]), env=told["env"])
        answer = {"code": done.returncode, "out": done.stdout, "err": done.stderr}
        self.wfile.write(json.dumps(answer).encode())


@contextmanager
def forked_commands(*apart: str) -> Iterator[Path]:
    """The folder to put first in PATH; what begins with a word of `apart` is not forked."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # In no folder of a test: the name of a socket must be short.
        address = str(folder / "socket")
        program = folder / "benchloom"
        real = str(Path(sys.executable).parent / "benchloom")
        program.write_text(
            _PROGRAM.format(python=sys.executable, apart=apart, real=real, address=address)
        )
        program.chmod(0o755)
        with _Server(address, _Asked) as server:
            serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
            serving.start()
            try:
                yield folder
            finally:
                server.shutdown()
                serving.join()
