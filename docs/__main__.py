"""The program `python -m docs [--out DIR]`, which builds the documentation site."""

import argparse
import sys
from pathlib import Path

from docs.building import BuildError, build_site

OUTPUT = Path("docs-output")


def main() -> int:
    """Build the site; return the exit code, which is 1 if a page has a fault."""
    parser = argparse.ArgumentParser(prog="python -m docs", description="Build the site.")
    parser.add_argument("--out", type=Path, default=OUTPUT, help="folder of the built pages")
    out = parser.parse_args().out
    try:
        build_site(out)
    except BuildError as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(f"the site is built: {out / 'index.html'}\n")
    return 0


sys.exit(main())
