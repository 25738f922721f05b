"""Serve the page on which a person plays a task with a form for each tool, and sees the score.

The release is only read. An attempt is a session in memory, as an agent has it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer, OfferedTool
from benchloom.worlds.proofs.parameters import Parameter, parameters_of
from benchloom.worlds.runs.offered_tools import REPLY
from benchloom.worlds.runs.task_reader import read_tasks
from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.attempts import Attempt, Attempts
from benchloom.worlds.session import Outcome
from benchloom.worlds.task import Task
from flows.explorer.errors import AbsentError, BadRequestError
from flows.explorer.open_release import OpenRelease
from flows.explorer.web.pages import address
from flows.explorer.web.review import read_form
from flows.explorer.web.site import Site, query_parameter

PREFIX = "argument."
"""Prefix of the names of form fields that contain arguments of a tool."""
Control: TypeAlias = Literal["choice", "json", "number", "text"]
_JSON = ("array", "object")
_NUMBERS = ("integer", "number")


class Field(msgspec.Struct, frozen=True):
    """An argument of a tool as a field of a form.

    `control` is the kind of the field's control; `choices` are the allowed values, if they are
    limited.
    """

    name: str
    control: Control
    required: bool
    about: str
    choices: tuple[str, ...] = ()


class ToolForm(msgspec.Struct, frozen=True):
    """The form with which a person calls one tool."""

    name: str
    tool: str
    about: str
    fields: tuple[Field, ...]


def forms_of(offer: Offer) -> Iterator[ToolForm]:
    """Yield the forms of the offered tools, sorted by name."""
    for offered in offer.tools.values():
        if offered.name != REPLY:
            about = offer.world.tools[offered.tool].parameters
            fields = tuple(
                _field(name, parameter, about.get(name, ""))
                for name, parameter in _parameters(offer, offered).items()
            )
            yield ToolForm(offered.name, offered.tool, offered.about, fields)


def arguments_in(offer: Offer, name: str, form: Mapping[str, str]) -> dict[str, Plain]:
    """Return the arguments in a submitted form; empty fields are omitted unless required.

    A value that is not of the argument's type stays a text, which the tool refuses.
    """
    offered = offer.tools.get(name)
    if offered is None:
        return {}
    return {
        argument: _value(parameter, form.get(PREFIX + argument, ""))
        for argument, parameter in _parameters(offer, offered).items()
        if parameter.required or form.get(PREFIX + argument)
    }


def _parameters(offer: Offer, offered: OfferedTool) -> Mapping[str, Parameter]:
    return parameters_of(offer.world.tools[offered.tool])


def _field(name: str, parameter: Parameter, about: str) -> Field:
    choices = tuple(str(value) for value in parameter.values)
    control: Control = "text"
    if "boolean" in parameter.types and not choices:
        choices = ("true", "false")
    if choices:
        control = "choice"
    elif not parameter.types.isdisjoint(_JSON):
        control = "json"
    elif not parameter.types.isdisjoint(_NUMBERS):
        control = "number"
    return Field(name, control, parameter.required, about, choices)


def _value(parameter: Parameter, text: str) -> Plain:
    if "string" in parameter.types or not text:
        return text
    try:
        value: Plain = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
    return value


PLAY = "/play"
_MOST = 20
"""Maximum number of open attempts. Opening another attempt closes the one that is idle longest."""
_MAX_FIELDS = 200
"""Maximum number of fields of a form. Some defined tools have dozens of arguments."""
_GONE = "this attempt is closed; start the task again"


class Event(msgspec.Struct, frozen=True):
    """An event of an attempt: a call with its outcome, or a message of user or agent."""

    by: str
    text: str
    result: str = ""
    refused: str = ""
    effects: tuple[str, ...] = ()


class Play:
    """The attempts of people at tasks of one release, and the events of each attempt."""

    def __init__(self, release: OpenRelease) -> None:
        self._release = release
        self._attempts: Attempts | None = None
        self.events: dict[str, list[Event]] = {}

    @property
    def attempts(self) -> Attempts:
        """The attempts that were opened. The tasks are read when this property is first used."""
        if self._attempts is None:
            self._release.table("tasks")
            try:
                store = TaskStore(read_tasks(self._release.folder, lambda *_: None))
            except RunError as error:
                raise AbsentError(str(error)) from error
            self._attempts = Attempts(store, most=_MOST)
        return self._attempts

    def task(self, task_id: str) -> Task:
        """Return the task with an id; raise AbsentError if the release lacks it."""
        try:
            return self.attempts.store.find(task_id)
        except RunError as error:
            raise AbsentError("this release does not have this task") from error

    def open(self, task_id: str) -> str:
        """Open an attempt and return its id; raise BadRequestError if that is impossible."""
        task_id = self.task(task_id).task_id
        try:
            attempt = self.attempts.open(task_id)
        except RunError as error:
            raise BadRequestError(f"this task cannot be played here: {error}") from error
        if attempt is None:
            raise BadRequestError("too many attempts are open; end one of them")
        open_ids = [
            attempt_id for attempt_id in self.events if self.attempts.find(attempt_id) is not None
        ]
        self.events = {attempt_id: self.events[attempt_id] for attempt_id in open_ids}
        self.events[attempt.attempt_id] = [Event("user", attempt.task.turns[0])]
        return attempt.attempt_id

    def act(self, form: Mapping[str, str]) -> str:
        """Do what a submitted form requests, and return the id of its attempt.

        Raises:
            AbsentError: the attempt has ended.
            BadRequestError: the form requests nothing, or something impossible.
        """
        attempt_id, action = form.get("attempt", ""), form.get("do", "")
        if action == "open":
            return self.open(form.get("task", ""))
        attempt = self.attempts.find(attempt_id)
        if attempt is None:
            raise AbsentError(_GONE)
        acts: dict[str, Callable[[Attempt, Mapping[str, str]], list[Event]]] = {
            "call": self._call,
            "say": _say,
            "end": self._end,
        }
        if action not in acts:
            raise BadRequestError("the form must contain open, call, say or end")
        self.events.setdefault(attempt_id, []).extend(acts[action](attempt, form))
        return attempt_id

    def _call(self, attempt: Attempt, form: Mapping[str, str]) -> list[Event]:
        name = form.get("tool", "")
        arguments = arguments_in(attempt.offer, name, form)
        outcome = self.attempts.call(attempt, name, arguments)
        text = f"{name.replace('__', '.')} {msgspec.json.encode(arguments).decode()}"
        return [_call_event(text, outcome)]

    def _end(self, attempt: Attempt, form: Mapping[str, str]) -> list[Event]:
        del form
        self.attempts.end(attempt.attempt_id)
        return []


def _say(attempt: Attempt, form: Mapping[str, str]) -> list[Event]:
    text = form.get("text", "").strip()
    try:
        turn = attempt.say(text, aside=False)
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return [Event("agent", text), *([] if turn is None else [Event("user", turn)])]


def _call_event(text: str, outcome: Outcome) -> Event:
    if outcome.refused is not None:
        return Event("call", text, refused=f"{outcome.refused}: {outcome.message}")
    result = msgspec.json.format(msgspec.json.encode(outcome.result), indent=2).decode()
    effects = tuple(f"{effect.kind} {effect.table} {effect.key}" for effect in outcome.effects)
    return Event("call", text, result, effects=effects)


def add_to(app: FastAPI, site: Site) -> None:
    """Add the page for playing tasks, and the route of its form, to the application.

    Both are coroutines, so that they run in one thread, as sessions in worlds require.
    """
    if not site.release.has("tasks"):
        return
    play = Play(site.release)

    @app.get(PLAY)
    async def show(request: Request) -> Response:
        attempt_id = query_parameter(request, "attempt")
        attempt = play.attempts.find(attempt_id) if attempt_id else None
        ended = play.attempts.end(attempt_id) if attempt_id and attempt is None else None
        if attempt_id and attempt is None and ended is None:
            raise AbsentError(_GONE)
        task = attempt.task if attempt else play.task(ended[0] if ended else _task_id(request))
        return site.page(
            "play.html.j2",
            request,
            "Play a task",
            task=task,
            instructions=task.instructions(attempt.offer.world.now) if attempt else "",
            attempt=attempt_id if attempt else "",
            over=attempt is not None and attempt.is_over,
            forms=list(forms_of(attempt.offer)) if attempt else [],
            events=play.events.get(attempt_id, []),
            score=ended[1] if ended else None,
        )

    @app.post(PLAY)
    async def act(request: Request) -> Response:
        attempt_id = play.act(await read_form(request, _MAX_FIELDS))
        return RedirectResponse(address(PLAY, attempt=attempt_id) + "#last", status_code=303)


def _task_id(request: Request) -> str:
    return query_parameter(request, "task")
