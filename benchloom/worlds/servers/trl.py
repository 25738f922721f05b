"""Offer tasks to trainers that create environments from a class, such as TRL's `GRPOTrainer`.

The public methods of an environment are its tools. The model sees their names, types and
docstrings. `TrainingTasks` creates the classes at run time, because the tools differ by world.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, Signature
from keyword import iskeyword
from typing import Any, Literal, TypeAlias, cast

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import OfferedTool
from benchloom.worlds.runs.offered_tools import offer_of_task
from benchloom.worlds.runs.scoring import Score
from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.attempts import Attempt
from benchloom.worlds.task import Task
from benchloom.worlds.tool import Schema

Message: TypeAlias = Mapping[str, Any]
_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}


class TaskEnvironment:
    """An attempt at the task of a dataset row; subclasses have a method for each tool.

    Only `reset` and the tools are public, because trainers offer every public method to the model.
    """

    _store: TaskStore

    def __init__(self) -> None:
        self._attempt: Attempt | None = None
        self._score: Score | None = None

    def reset(self, task_id: str, **columns: object) -> None:
        """Begin an attempt at a task; other columns of the row are ignored.

        Raises:
            RunError: there is no such task.
        """
        del columns
        self._close()
        self._score = None
        task = self._store.find(task_id)
        self._attempt = Attempt(offer_of_task(task, replies="turns"), task)

    def _call(self, name: str, arguments: dict[str, Plain]) -> str:
        """Call a tool; return a result that is a text unchanged, and any other result as JSON.

        Without JSON, TRL would treat a list as parts of a message, and write other values in
        Python's syntax.

        Raises:
            ValueError: the call was refused; trainers show the message to the model.
        """
        if self._attempt is None:
            raise ValueError("the attempt is over: call reset first")
        outcome = self._attempt.call(name, arguments)
        if outcome.refused is not None:
            raise ValueError(f"{outcome.refused}: {outcome.message}")
        if isinstance(outcome.result, str):
            return outcome.result
        return msgspec.json.encode(outcome.result).decode()

    def _finish(self, texts: Sequence[str]) -> Score:
        if self._score is None:
            if self._attempt is None:
                raise ValueError("there is no attempt: call reset first")
            self._attempt.say_all(texts)
            self._score = self._attempt.score()
            self._close()
        return self._score

    def _close(self) -> None:
        if self._attempt is not None:
            self._attempt.close()
            self._attempt = None


class TrainingTasks:
    """Tasks as a trainer needs them: dataset rows, environment classes, and a reward function.

    `environments` maps the value of a row's column `environment` to a class with the tools of the
    row's task. `environment` is a class with the tools of all tasks.

    Raises:
        RunError: there are no tasks, or two tasks offer different tools of the same name.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._rows: list[dict[str, Plain]] = []
        self._offered: dict[str, tuple[str, ...]] = {}
        tools: dict[str, OfferedTool] = {}
        self._store = TaskStore(self._collect(tasks, tools))
        self._methods = {name: _method(tool) for name, tool in sorted(tools.items())}
        self.environment = self._class_of(self._methods)
        self.environments: Mapping[str, type[Any]] = {
            name: self._class_of(names) for name, names in self._offered.items()
        }

    def _class_of(self, names: Iterable[str]) -> type[TaskEnvironment]:
        methods = {name: self._methods[name] for name in names}
        return type("TaskEnvironment", (TaskEnvironment,), {"_store": self._store, **methods})

    def _collect(self, tasks: Iterable[Task], tools: dict[str, OfferedTool]) -> Iterator[Task]:
        for task in tasks:
            offer = offer_of_task(task, replies="turns")
            for name, tool in offer.tools.items():
                if tools.setdefault(name, tool).arguments != tool.arguments:
                    raise RunError(
                        f"{task.task_id}: another task has a different tool {name}; "
                        "train on fewer tasks, with tools of different names"
                    )
            self._offered[task.task_id] = tuple(offer.tools)
            self._rows.append(
                {
                    "prompt": [
                        {"role": "system", "content": task.instructions(offer.world.now)},
                        {"role": "user", "content": task.turns[0]},
                    ],
                    "task_id": task.task_id,
                    "environment": task.task_id,
                }
            )
            yield task

    def rows(self) -> list[dict[str, Plain]]:
        """Return a row per task, with its prompt, id and environment, for `Dataset.from_list`."""
        return self._rows

    def reward(
        self,
        environments: Sequence[TaskEnvironment],
        completions: Sequence[Sequence[Message]],
        **columns: object,
    ) -> list[float]:
        """Return 1.0 for each environment whose task is solved, else 0.0.

        `completions` contains the messages of each attempt; the last message of the assistant is
        the answer.
        """
        del columns
        return [
            float(environment._finish(_texts(messages)).solved)  # noqa: SLF001  a public method would be offered as a tool
            for environment, messages in zip(environments, completions, strict=True)
        ]


def _texts(messages: Sequence[Message]) -> list[str]:
    replies = [message for message in messages if message.get("role") == "assistant"]
    return [text for message in replies if isinstance(text := message.get("content"), str) and text]


def _method(tool: OfferedTool) -> object:
    """Create a method that calls a tool; the tool's schema determines its types and docstring."""
    properties = cast("dict[str, dict[str, Any]]", tool.arguments.get("properties", {}))
    required = cast("list[str]", tool.arguments.get("required", []))
    names = {_python_name(name): name for name in properties}
    parameters = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    for python_name, name in sorted(names.items(), key=lambda pair: pair[1] not in required):
        parameters.append(
            Parameter(
                python_name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=Parameter.empty if name in required else properties[name].get("default"),
                annotation=_type_of(properties[name]),
            )
        )
    signature = Signature(parameters, return_annotation=str)

    def method(*positional: Any, **named: Any) -> str:
        try:
            arguments = signature.bind(*positional, **named).arguments
        except TypeError as error:
            raise ValueError(f"invalid_argument: {error}") from None
        environment: TaskEnvironment = arguments.pop("self")
        named_as_offered = {names[name]: value for name, value in arguments.items()}
        return environment._call(tool.name, named_as_offered)  # noqa: SLF001  a public method would be offered as a tool

    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = _docstring(tool.about, properties)
    method.__annotations__ = {each.name: each.annotation for each in parameters[1:]}
    method.__annotations__["return"] = str
    vars(method)["__signature__"] = signature
    return method


def _docstring(about: str, properties: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [f"    {_python_name(name)}: {_about(each, name)}" for name, each in properties.items()]
    return "\n".join([about, *(["", "Args:", *lines] if lines else [])])


def _python_name(name: str) -> str:
    """Return a Python name for an argument; the keyword `from` becomes `from_`, for example."""
    name = re.sub(r"\W", "_", name)
    return f"{name}_" if iskeyword(name) or name == "self" else name


def _about(schema: Mapping[str, Any], name: str) -> str:
    return " ".join(str(schema.get("description") or name.replace("_", " ")).split())


def _type_of(schema: Schema) -> Any:
    if "enum" in schema:
        return Literal[tuple(cast("list[Plain]", schema["enum"]))]
    if "anyOf" in schema:
        union: Any = None
        for number, option in enumerate(cast("list[Schema]", schema["anyOf"])):
            union = union | _type_of(option) if number else _type_of(option)
        return union
    if schema.get("type") == "array":
        return list[_type_of(cast("Schema", schema.get("items", {})))]  # type: ignore[misc]  # a type made at run time
    if schema.get("type") == "object":
        return dict[str, Any]
    return _TYPES.get(str(schema.get("type")), Any)
