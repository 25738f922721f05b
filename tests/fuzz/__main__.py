"""Fuzz every input kind, or the named ones, for a limited time and save the failing mutants."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from benchloom.core.errors import BenchloomError
from tests.fuzz.corpus import mutant, seeds_of
from tests.fuzz.running import Finding, Outcome, run_target
from tests.fuzz.target import TARGETS, find_targets, load_target


def main(arguments: list[str] | None = None) -> int:
    """Run the requested targets one after the other; return 1 if any mutant failed."""
    options = _options().parse_args(arguments)
    corpus = Path(options.corpus) if options.corpus else None
    finding_count = 0
    try:
        for name, module in _requested_targets(options.targets).items():
            single_mutant = options.number is not None
            start = options.number if single_mutant else options.start
            outcome = run_target(
                name,
                module,
                seed=options.seed,
                start=start,
                stop=start + 1 if single_mutant else start + options.mutants,
                seconds=options.seconds,
                corpus=corpus,
            )
            _print_outcome(outcome, module, corpus, Path(options.findings))
            finding_count += len(outcome.findings)
    except BenchloomError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 1 if finding_count else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="names of targets (default: all)")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each target")
    parser.add_argument(
        "--mutants", type=int, default=1 << 62, help="largest number of mutants per target"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed of the mutants")
    parser.add_argument("--start", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--number", type=int, help="run this one mutant alone")
    parser.add_argument("--corpus", help="folder or archive whose files are mutated")
    parser.add_argument(
        "--findings", default="fuzz-findings", help="folder for the failing mutants"
    )
    return parser


def _requested_targets(names: list[str]) -> Mapping[str, str]:
    targets = find_targets()
    for name in names:
        TARGETS.find(name)
    return {name: module for name, module in targets.items() if not names or name in names}


def _print_outcome(outcome: Outcome, module: str, corpus: Path | None, folder: Path) -> None:
    count = len(outcome.findings)
    print(f"{outcome.target}: {outcome.mutants} mutants, {count} findings", flush=True)
    for finding in outcome.findings:
        path = _save_mutant(finding, module, corpus, folder)
        command = (
            f"python -m tests.fuzz {finding.target} --seed {finding.seed} --number {finding.number}"
        )
        command += f" --corpus {corpus}" if corpus else ""
        print(f"\n{finding.kind}, {finding.count} mutants, the first in {path}\n{finding.detail}")
        print(f"again: {command}", flush=True)


def _save_mutant(finding: Finding, module: str, corpus: Path | None, folder: Path) -> Path:
    """Write the mutant of a finding to a file and return its path."""
    target = load_target(module)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{finding.target}-{finding.seed}-{finding.number}"
    path.write_bytes(mutant(target, seeds_of(target, corpus), finding.seed, finding.number))
    return path


if __name__ == "__main__":
    sys.exit(main())
