"""`python -m demo.replica [PORT]`: serve the demo world until standard input closes.

Prints its address on the first line. Each line read from standard input is answered: `log` with
the request log as one JSON line; the end of input ends the server.
"""

import dataclasses
import json
import sys

from demo.replica.server import running_replica


def main() -> None:
    """Serve until standard input is closed."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with running_replica(port) as replica:
        print(replica.address, flush=True)
        for line in sys.stdin:
            if line.strip() == "log":
                rows = [dataclasses.asdict(request) for request in list(replica.log)]
                print(json.dumps(rows), flush=True)


if __name__ == "__main__":
    main()
