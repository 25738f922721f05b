"""`python -m tests.fuzz`: mutants of every input kind in bounded time; findings are kept."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from benchloom.core.errors import BenchloomError
from tests.fuzz.corpus import mutant, seeds_of
from tests.fuzz.running import Finding, Outcome, run_target
from tests.fuzz.target import TARGETS, find_targets, load_target


def main(arguments: list[str] | None = None) -> int:
    """Run the wanted targets one after the other; 1 where anything was found."""
    options = _options().parse_args(arguments)
    corpus = Path(options.corpus) if options.corpus else None
    finding_count = 0
    try:
        for name, module in _wanted(options.targets).items():
            alone = options.number is not None
            start = options.number if alone else options.start
            outcome = run_target(
                name,
                module,
                seed=options.seed,
                start=start,
                stop=start + 1 if alone else start + options.mutants,
                seconds=options.seconds,
                corpus=corpus,
            )
            _show(outcome, module, corpus, Path(options.findings))
            finding_count += len(outcome.findings)
    except BenchloomError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 1 if finding_count else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="names of targets; all without one")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each target")
    parser.add_argument("--mutants", type=int, default=1 << 62, help="at most, for each target")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other mutants")
    parser.add_argument("--start", type=int, default=0, help="the first mutant's number")
    parser.add_argument("--number", type=int, help="run this one mutant alone")
    parser.add_argument("--corpus", help="a folder or archive whose files are the seeds instead")
    parser.add_argument("--findings", default="fuzz-findings", help="folder for found mutants")
    return parser


def _wanted(names: list[str]) -> Mapping[str, str]:
    targets = find_targets()
    for name in names:
        TARGETS.find(name)
    return {name: module for name, module in targets.items() if not names or name in names}


def _show(outcome: Outcome, module: str, corpus: Path | None, folder: Path) -> None:
    count = len(outcome.findings)
    print(f"{outcome.target}: {outcome.mutants} mutants, {count} findings", flush=True)
    for finding in outcome.findings:
        path = _keep(finding, module, corpus, folder)
        again = (
            f"python -m tests.fuzz {finding.target} --seed {finding.seed} --number {finding.number}"
        )
        again += f" --corpus {corpus}" if corpus else ""
        print(f"\n{finding.kind}, {finding.count} mutants, the first in {path}\n{finding.detail}")
        print(f"again: {again}", flush=True)


def _keep(finding: Finding, module: str, corpus: Path | None, folder: Path) -> Path:
    """The mutant as a file."""
    target = load_target(module)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{finding.target}-{finding.seed}-{finding.number}"
    path.write_bytes(mutant(target, seeds_of(target, corpus), finding.seed, finding.number))
    return path


if __name__ == "__main__":
    sys.exit(main())
