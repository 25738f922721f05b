"""Export tasks as folders for Harbor and verifiers (HarborTaskset).

A folder has the definition of a container image, a test and a solution. The image contains
benchloom and a world without the plan of the task. An agent plays the task with the command
`world`, which records the agent's calls and replies. The test, which has the plan, repeats them and
writes the reward.
"""

import json
import shlex
from collections.abc import Iterator, Mapping

import msgspec

import benchloom
from benchloom.core.records.worlds import TaskProofs
from benchloom.worlds.offers import Offer
from benchloom.worlds.proofs import row_of
from benchloom.worlds.task import Task
from benchloom.worlds.task_formats.base import FolderFormat, facts_of
from benchloom.worlds.task_kinds import TASK_KINDS

IMAGE = f"benchloom:{benchloom.__version__}"
"""The image that the project's Dockerfile builds, and from which the image of a task starts."""
WORLD = "/world"
_MODULE = "/app/.venv/bin/python -m benchloom.worlds.servers.shell"
_NO_PROOFS = TaskProofs(
    repeated=False,
    needed=False,
    dropped=0,
    changed=0,
    derived=False,
    orders=0,
    orders_tried=1,
    harmless=0,
)
_DOCKERFILE = f"""\
FROM {IMAGE}
USER root
WORKDIR {WORLD}
COPY task.jsonl {WORLD}/task.jsonl
COPY --chmod=755 world /usr/local/bin/world
ENTRYPOINT []
CMD ["sleep", "infinity"]
"""
_WORLD = f"""\
#!/bin/sh
exec {_MODULE} {WORLD}/task.jsonl {WORLD}/moves.jsonl "$@"
"""
_TEST = f"""\
#!/bin/sh
mkdir -p /logs/verifier
{_MODULE} /tests/task.jsonl {WORLD}/moves.jsonl score > /logs/verifier/reward.json
"""
_HOW = """\
You act in this world by the command `world`:

- `world tools` prints the functions with their JSON Schemas.
- `world call NAME JSON` calls one, such as `world call {example} '{{}}'`; it prints the result,
  or why the call is refused.
- `world say TEXT` says something to the user, and prints what the user says next. Say the answer
  this way.

Each call counts. The functions are:

{names}
"""


class Harbor(FolderFormat):
    """A format whose folders have an instruction, an image definition, a test and a solution."""

    replies = "none"  # the command has a subcommand for replies to the user
    title = f"Task folders of Harbor; build the image {IMAGE} from the project's Dockerfile first"
    hidden = ("tests", "solution")

    def files(self, task: Task, offer: Offer) -> Mapping[str, bytes]:
        """Return the files of a task; only files in `tests` and `solution` contain the plan."""
        texts = {
            "task.toml": _settings(task),
            "instruction.md": _instruction(task, offer),
            "environment/Dockerfile": _DOCKERFILE,
            "environment/world": _WORLD,
            "environment/task.jsonl": _line(without_plan(task)),
            "tests/test.sh": _TEST,
            "tests/task.jsonl": _line(task),
            "solution/solve.sh": "\n".join(["#!/bin/sh", *_solution(task), ""]),
        }
        return {path: text.encode() for path, text in texts.items()}


FORMAT = Harbor()


def without_plan(task: Task) -> Task:
    """Return a task that can be played but not scored: its calls and answer are removed."""
    return msgspec.structs.replace(
        task,
        start_digest="",
        distractors=(),
        alternatives=(),
        calls=(),
        forbidden=(),
        gold_digest="",
        results_digest="",
        asked=None,
        answer=None,
        proofs=_NO_PROOFS,
    )


def _line(task: Task) -> str:
    return msgspec.json.encode(row_of(task)).decode() + "\n"


_SETTINGS = """\
schema_version = "1.4"

[task]
name = {name}

[metadata]
{metadata}

[agent]
timeout_sec = 1800.0

[verifier]
timeout_sec = 300.0

[environment]
network_mode = "no-network"
cpus = 1
memory_mb = 1024
"""


def _settings(task: Task) -> str:
    name = f"benchloom/{task.task_id.rpartition(':')[2][:16]}"
    metadata = "\n".join(f"{key} = {_quote(value)}" for key, value in facts_of(task).items())
    return _SETTINGS.format(name=_quote(name), metadata=metadata)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _instruction(task: Task, offer: Offer) -> str:
    names = [f"- `{tool.name}`: {' '.join(tool.about.split())}" for tool in offer.tools.values()]
    how = _HOW.format(example=next(iter(offer.tools)), names="\n".join(names))
    instructions = task.instructions(offer.world.now)
    return f"{instructions}\n\nThe user says:\n\n{task.turns[0]}\n\n{how}"


def _solution(task: Task) -> Iterator[str]:
    # A plan asks no questions, so it uses no turn of a user who only answers questions.
    for _ in () if TASK_KINDS.find(task.kind).answers_questions else task.turns[1:]:
        yield "world say 'And?'"
    for call in task.calls:
        arguments = shlex.quote(json.dumps(call.arguments))
        yield f"world call {call.tool.replace('.', '__')} {arguments}"
    yield f"world say {shlex.quote(task.last_words)}"
