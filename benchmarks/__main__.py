"""Run every benchmark module, or those named on the command line, and print their ratios."""

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    """Print one line per ratio: what, measured, target."""
    known = sorted(
        module.name
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if not module.name.startswith("_")
    )
    for name in sys.argv[1:] or known:
        module = importlib.import_module(f"benchmarks.{name}")
        for label, measured, target in module.ratios():
            print(f"{name}: {label}: {measured:.2f} (target {target})", flush=True)


if __name__ == "__main__":
    main()
