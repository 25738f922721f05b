"""Attempt a task from a shell, with one process per move and a file that stores all moves.

    python -m benchloom.worlds.servers.shell task.jsonl moves.jsonl tools
    python -m benchloom.worlds.servers.shell task.jsonl moves.jsonl call NAME JSON
    python -m benchloom.worlds.servers.shell task.jsonl moves.jsonl say TEXT
    python -m benchloom.worlds.servers.shell task.jsonl moves.jsonl score

Worlds are deterministic, so every process repeats the earlier moves before its own. The
environments that `release export --format harbor` writes run this module.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import FAULTS, decode_arguments, refusal_message
from benchloom.worlds.runs.offered_tools import OVER, offer_of_task
from benchloom.worlds.runs.task_reader import read_tasks
from benchloom.worlds.servers.attempts import Attempt


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move of an agent: a call, with the arguments as the agent wrote them, or a message."""

    call: str = ""
    arguments: str = ""
    say: str = ""


_MOVE = msgspec.json.Decoder(Move)


def main(words: list[str] | None = None) -> int:
    """List the tools, call a tool, send a message or print the score; return the exit code.

    The exit code is 1 if the call or the message was refused, else 0.

    Raises:
        RunError: the file contains no task.
    """
    options = _parser().parse_args(words)
    task = next(read_tasks(options.task), None)
    if task is None:
        raise RunError(f"{options.task} contains no task; make tasks with 'benchloom world build'")
    with closing(Attempt(offer_of_task(task), task)) as attempt:
        for move in _moves(options.moves):
            _make(attempt, move)
        if options.word == "tools":
            return _print([tool.described() for tool in attempt.offer.tools.values()])
        if options.word == "score":
            score = attempt.score()
            return _print(
                {
                    "reward": float(score.solved),
                    "right_state": int(score.digest),
                    "right_answer": int(score.answer),
                    "calls": score.calls,
                    "refused_calls": score.refused,
                }
            )
        move = (
            Move(say=options.text)
            if options.word == "say"
            else Move(call=options.name, arguments=options.arguments)
        )
        refused, result = _make(attempt, move)
        with options.moves.open("ab") as file:
            file.write(msgspec.json.encode(move) + b"\n")
        _print(result)
        return int(refused)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="world", description="Play a task.")
    parser.add_argument("task", type=Path)
    parser.add_argument("moves", type=Path)
    verbs = parser.add_subparsers(dest="word", required=True)
    verbs.add_parser("tools", help="print the functions")
    call = verbs.add_parser("call", help="call a function")
    call.add_argument("name")
    call.add_argument(
        "arguments", nargs="?", default="{}", help="arguments of the function, as a JSON object"
    )
    verbs.add_parser("say", help="send a message to the user").add_argument("text")
    verbs.add_parser("score", help="print the score so far")
    return parser


def _moves(path: Path) -> Iterator[Move]:
    """Yield the earlier moves; invalid lines are skipped, because an agent can edit the file."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                yield _MOVE.decode(line)
            except FAULTS:
                continue


def _make(attempt: Attempt, move: Move) -> tuple[bool, Plain]:
    if not move.call:
        try:
            turn = attempt.say(move.say, aside=False)
        except ValueError as error:
            return True, str(error)
        return False, OVER if turn is None else turn
    outcome = attempt.call(move.call, decode_arguments(move.arguments))
    if outcome.refused is not None:
        return True, refusal_message(outcome)
    return False, outcome.result


def _print(value: Plain) -> int:
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
