"""The program `python -m demo.replica [PORT]`, which serves imitations of all sites.

The first line of output is the address of the server. For each line `log` on standard input, the
program prints the log of requests as one line of JSON. The server ends when standard input closes.
"""

import dataclasses
import json
import sys

from demo.replica.server import running_replica


def main() -> None:
    """Serve until standard input closes."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with running_replica(port) as replica:
        print(replica.address, flush=True)
        for line in sys.stdin:
            if line.strip() == "log":
                rows = [dataclasses.asdict(request) for request in list(replica.log)]
                print(json.dumps(rows), flush=True)


if __name__ == "__main__":
    main()
