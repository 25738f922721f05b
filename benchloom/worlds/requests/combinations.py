"""Combine several changes into a request or a conversation, and plan the calls that make them."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.sense import gives_away, takes_back
from benchloom.worlds.requests.wants import (
    After,
    Draw,
    Drawn,
    Named,
    Question,
    Requests,
    Source,
    Want,
)
from benchloom.worlds.requests.wording import one_request, turns
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.task import Candidate, PlannedCall, RequestedAnswer
from benchloom.worlds.world import World

T = TypeVar("T")
_TRIES = 4
_ROWS = 6
"""The maximum number of rows that are drawn in search of a row with a name."""
_LICENCE = "CC0-1.0"
_LEAVES_OUT = 4
"""The probability, in tenths, that an instruction in a conversation omits its last value."""
_LAST_VALUE = re.compile(r" (?:called|for|from|in|into|on|to|with) \{(\w+)\}$")
_NEEDS_ALL = ("add ", "put ")
"""The first words of instructions that always state their last value."""
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
"""Matches a day in ISO 8601."""


class Shape(msgspec.Struct, frozen=True):
    """The size and form of requests; probabilities are in tenths.

    Args:
        goals: the minimum and the maximum number of changes and questions.
        calls: the minimum and the maximum number of calls.
        talks: probability that the user states one change after the other, in a conversation.
        asks: probability that a request ends with a question.
        near: probability that a change after the first is about a thing of an earlier change.
        same_thing: probability that the thing of the same kind that was named last is used again.
        same_day: probability that a day is the day of an earlier change.
    """

    goals: tuple[int, int] = (1, 4)
    calls: tuple[int, int] = (1, 8)
    talks: int = 4
    asks: int = 4
    near: int = 5
    same_thing: int = 5
    same_day: int = 0


SOME_GOALS = Shape()
ONE_GOAL = Shape(goals=(1, 1), talks=0, asks=0)


class _DrawError(Exception):
    """Raised if a drawn part of a request is not possible, so that another part must be drawn.

    For example, a tool refuses the drawn call, or the name of the drawn thing is not unique.
    """


class _Mention(msgspec.Struct, frozen=True):
    """A thing that the request names, and the read call that finds the thing by this name."""

    call: PlannedCall
    path: tuple[str | int, ...]
    name: str
    drawn: Drawn


class _Plan:
    """A request that is being composed: its calls so far, and the session in which they are made.

    `talk` draws the form of a conversation, and is None if the user speaks only once. `pauses`
    contains, for each further turn of the user, the number of calls before it. `named` contains the
    things that the request named, `drawn` those that it created, and `gone` the names that its
    calls changed or removed.
    """

    def __init__(
        self, session: Session, dice: Dice, talk: Dice | None = None, shape: Shape = SOME_GOALS
    ) -> None:
        self.session = session
        self.dice = dice
        self.talk = talk
        self.shape = shape
        self.day: Drawn | None = None
        self.pauses: list[int] = []
        self.calls: list[PlannedCall] = []
        self.outcomes: list[Outcome] = []
        self.named: dict[int, _Mention] = {}
        self.drawn: dict[str, Drawn] = {}
        self.gone: set[str] = set()

    def copy(self) -> "_Plan":
        """Return a copy of the plan, which can be extended or discarded."""
        plan = _Plan(self.session, self.dice, self.talk, self.shape)
        plan.day = self.day
        plan.pauses = list(self.pauses)
        plan.calls, plan.outcomes = list(self.calls), list(self.outcomes)
        plan.named, plan.drawn = dict(self.named), dict(self.drawn)
        plan.gone = set(self.gone)
        return plan

    def call(
        self,
        tool: str,
        drawn_values: Mapping[str, Drawn],
        *,
        refused: bool = False,
        fresh: bool = False,
    ) -> tuple[int, Outcome]:
        """Make a call, or reuse an equal read call; return the number and the outcome of the call.

        With `fresh`, a read call is not reused if a later call changed the state.

        Raises:
            _DrawError: the tool refuses the call, or accepts it although it should be `refused`.
        """
        arguments = {name: value.value for name, value in drawn_values.items()}
        texts = {name: value.text for name, value in drawn_values.items() if value.apart}
        reads = self.session.world.tools[tool].reads
        last = max((n for n, earlier in enumerate(self.outcomes) if earlier.effects), default=-1)
        for number, call in enumerate(self.calls):
            reusable_read = reads and (not fresh or number > last)
            if reusable_read and call.tool == tool and call.arguments == arguments:
                return number, self.outcomes[number]
        outcome = self.session.call(tool, arguments)
        if (outcome.refused is not None) != refused:
            raise _DrawError
        self.calls.append(PlannedCall(tool, arguments, texts))
        self.outcomes.append(outcome)
        return len(self.calls) - 1, outcome

    def filled(
        self, sources: Mapping[str, Source], before: Mapping[str, Drawn] | None = None
    ) -> dict[str, Drawn]:
        """Draw a value for each placeholder, in order; `before` contains values drawn earlier."""
        drawn_values = dict(before or {})
        for name, source in sources.items():
            if isinstance(source, After):
                drawn_values[name] = source.draw(self.dice, drawn_values[source.name].value)
            else:
                drawn_values[name] = self.fill(name, source)
        return drawn_values

    def fill(self, name: str, source: Named | Draw) -> Drawn:
        """Return a value for a placeholder, often a thing from an earlier part of the request."""
        if not isinstance(source, Named):
            return self._on_a_day(source(self.dice))
        # A thing created by the request may not meet `only`: a new scene sets nothing yet.
        if name in self.drawn and not source.only and self.dice.chance(7):
            return self.drawn[name]
        self.drawn.pop(name, None)  # "that note" would mean the note named last
        if id(source) in self.named and self.dice.chance(self.shape.same_thing):
            mention = self.named[id(source)]
        else:
            _, mention = self._again(lambda: self.find(source))
            self.named[id(source)] = mention
        thing = mention.drawn
        return msgspec.structs.replace(thing, value=[thing.value]) if source.many else thing

    def _on_a_day(self, drawn: Drawn) -> Drawn:
        """Return a drawn day or, with probability `Shape.same_day`, the day of an earlier change.

        Other values are returned unchanged.
        """
        if not self.shape.same_day or not DAY.fullmatch(str(drawn.value)):
            return drawn
        if self.day is None or not self.dice.chance(self.shape.same_day):
            self.day = drawn
        return self.day

    def _again(self, draw: Callable[[], T]) -> T:
        for attempts_left in reversed(range(_TRIES)):
            call_count, mentions = len(self.calls), dict(self.named)
            try:
                return draw()
            except _DrawError:
                if not attempts_left:
                    raise
                del self.calls[call_count:], self.outcomes[call_count:]
                self.named = mentions
        raise _DrawError

    def find(self, source: Named, *, fresh: bool = False) -> tuple[int, _Mention]:
        """Draw a thing and make the call that finds it; return the call's number and the thing.

        With `fresh`, the call is made again if a later call changed the state.
        """
        drawn_values = self.filled(source.by)
        gaps = {name: drawn.text for name, drawn in drawn_values.items()}
        name = ""
        if source.name:
            name = self._name(source, {key: drawn.value for key, drawn in drawn_values.items()})
            drawn_values[source.query] = Drawn(name, name)
            gaps["name"] = name
        number, outcome = self.call(source.tool, drawn_values, fresh=fresh)
        path: tuple[str | int, ...] = (source.field,)
        thing = outcome.result
        if isinstance(thing, list):
            if len(thing) != 1:
                raise _DrawError
            path, thing = (0, source.field), thing[0]
        if not isinstance(thing, dict) or thing.get(source.field) in (None, ""):
            raise _DrawError
        drawn = Drawn(thing[source.field], source.text.format_map(gaps))
        return number, _Mention(self.calls[number], path, name, drawn)

    def _name(self, source: Named, by: Mapping[str, Plain]) -> str:
        with self.session.trial():
            rows = self.session.call(source.tool, {**source.listing, **by}).result
        fitting = [
            row
            for row in (rows if isinstance(rows, list) else ())
            if isinstance(row, dict)
            and all(row.get(field) in values for field, values in source.only.items())
        ]
        for _ in range(_ROWS if fitting else 0):
            name = self.dice.one_of(fitting).get(source.name)
            if isinstance(name, str) and name:
                return name
        raise _DrawError

    def do(self, want: Want, *, whole: bool = False) -> tuple[str, ...]:
        """Add the calls that make the change `want`; return its text in one or two parts.

        The text is split where the user waits for a reply. A `whole` text is not split.
        """
        before = ""
        if want.after is not None:
            (text,) = self.do(want.after, whole=True)
            before = f"{text}, and "
        late = () if whole else self._late(want)
        drawn_values = self.filled(
            {name: source for name, source in want.take.items() if name not in late}
        )
        first_values: dict[str, Drawn] = {}
        if want.first:
            first_values = self._again(lambda: self._refused(want, drawn_values))
        text = want.text
        if late and not want.first:
            text = _LAST_VALUE.sub("", text)
        parts = [_filled(text, {**drawn_values, **first_values})]
        if late:
            self.pauses.append(len(self.calls))
            drawn_values = self.filled({name: want.take[name] for name in late}, drawn_values)
        if want.first:
            parts.append(_filled(want.otherwise, drawn_values))
        elif late:
            parts.append(drawn_values[late[0]].text)
        text = "; ".join(parts)
        number, outcome = self.call(want.tool, drawn_values)
        if self.calls[number] in self.calls[:number]:
            raise _DrawError  # nobody asks for the same thing twice
        earlier = self.calls[:number], self.outcomes[:number]
        if not outcome.effects or takes_back(
            self.session.world, *earlier, self.calls[number], outcome
        ):
            raise _DrawError
        self._check_names(before + text)
        self.gone |= {
            mention.name for mention in self.named.values() if not self._still_called(mention)
        }
        if want.makes is not None and isinstance(outcome.result, dict):
            field, words = want.makes
            self.drawn[field] = Drawn(outcome.result[field], words)
        parts = parts if late else [text]
        return before + parts[0], *parts[1:]

    def _late(self, want: Want) -> tuple[str, ...]:
        if self.talk is None or want.after is not None:
            return ()
        names = tuple(want.first)
        match = None if names or want.text.startswith(_NEEDS_ALL) else _LAST_VALUE.search(want.text)
        if match is not None:
            name, source = match[1], want.take[match[1]]
            # After "post it in the choir's chat", "share the card" means in the same chat.
            clear = name in self.drawn or id(source) in self.named
            schema = self.session.world.tools[want.tool].schema()
            is_required = name in schema.get("required", ()) and not isinstance(source, After)
            if is_required and not clear and self.talk.chance(_LEAVES_OUT):
                names = (name,)
        awaited = {source.name for source in want.take.values() if isinstance(source, After)}
        return () if awaited.intersection(names) else names

    def _refused(self, want: Want, drawn_values: Mapping[str, Drawn]) -> dict[str, Drawn]:
        first_values = self.filled(want.first)
        with self.session.trial():
            self.call(want.tool, {**drawn_values, **first_values}, refused=True)
        return first_values

    def ask(self, question: Question, before: Sequence[str]) -> tuple[str, RequestedAnswer]:
        """Add the calls of a question; return its text and the location of the answer.

        `before` contains the texts of the earlier parts of the request, which must not contain the
        answer.
        """
        return self._again(lambda: self._ask_about(question, before))

    def _ask_about(self, question: Question, before: Sequence[str]) -> tuple[str, RequestedAnswer]:
        number, mention = self.find(question.about, fresh=True)
        text = _filled(question.text, {"it": mention.drawn})
        self._check_names(text)
        if gives_away("\n".join([*before, text]), mention.drawn.value):
            raise _DrawError
        return text, RequestedAnswer(number, mention.path)

    def _check_names(self, text: str) -> None:
        """Raise `_DrawError` if a text has a name that the request's calls changed or removed."""
        if any(name in text for name in self.gone):
            raise _DrawError

    def _still_called(self, mention: _Mention) -> bool:
        if not mention.name:
            return True
        with self.session.trial():
            result = self.session.call(mention.call.tool, mention.call.arguments).result
        rows = result if isinstance(result, list) else [result]
        row = rows[0] if len(rows) == 1 else None
        return isinstance(row, dict) and row.get(str(mention.path[-1])) == mention.drawn.value


def _filled(text: str, drawn_values: Mapping[str, Drawn]) -> str:
    result = text.format_map({name: value.text for name, value in drawn_values.items()})
    return result.replace(" on tomorrow", " tomorrow")


def candidates(
    world: World,
    suite: str,
    start: str,
    requests: Sequence[Requests],
    seed: int,
    *,
    shape: Shape = SOME_GOALS,
) -> Iterator[Candidate]:
    """Yield an endless series of randomly composed candidates, which the seed determines."""
    wants = [want for request_group in requests for want in request_group.wants]
    questions = [question for request_group in requests for question in request_group.questions]
    number = 0
    with Session(world) as session:
        while True:
            with session.trial():
                talk = Dice(seed, number, "talk")
                composition = composed(
                    session,
                    Dice(seed, number),
                    wants,
                    questions,
                    talk=talk if talk.chance(shape.talks) else None,
                    shape=shape,
                )
            if composition is not None:
                calls, user_turns, answer_source = composition
                yield Candidate(
                    suite=suite,
                    start=start,
                    turns=user_turns,
                    calls=calls,
                    asked=answer_source,
                    source=suite,
                    source_id=f"{seed}/{number}",
                    license=_LICENCE,
                    exact=True,
                )
            number += 1


def composed(
    session: Session,
    dice: Dice,
    wants: Sequence[Want],
    questions: Sequence[Question],
    *,
    talk: Dice | None = None,
    shape: Shape = SOME_GOALS,
) -> tuple[tuple[PlannedCall, ...], tuple[str, ...], RequestedAnswer | None] | None:
    """Compose a request; return its calls, the user's turns, and the location of the answer.

    The location is None if the user asks no question. The result is None if no request of the
    right size could be drawn. `talk` draws the form of a conversation; if it is None, the user
    speaks only once.
    """
    plan = _Plan(session, dice, talk, shape)
    orders: list[tuple[str, ...]] = []
    asks = dice.chance(shape.asks) and bool(questions)
    least, most = shape.goals
    count = least - asks + dice.below(most - least + 1)
    for _ in range(count):
        for _ in range(_TRIES):
            want = _next(plan, dice, wants)
            attempt = _tried(plan, want)
            if attempt is not None:
                plan, order = attempt
                if talk is not None and want.first:
                    wants = [option for option in wants if not option.first]
                orders.append(order)
                plan.pauses.append(len(plan.calls))
                break
    answer_source: RequestedAnswer | None = None
    if asks:
        extended = plan.copy()
        with suppress(_DrawError):
            texts = [part for order in orders for part in order]
            text, answer_source = extended.ask(dice.one_of(questions), texts)
            plan = extended
            orders.append((text,))
    fewest_calls, most_calls = shape.calls
    if not orders or not fewest_calls <= len(plan.calls) <= most_calls:
        return None
    if talk is None:
        calls = [msgspec.structs.replace(call, turn=0) for call in plan.calls]
        return tuple(calls), (one_request(dice, [text for (text,) in orders]),), answer_source
    calls = [
        msgspec.structs.replace(call, turn=bisect_right(plan.pauses, number))
        for number, call in enumerate(plan.calls)
    ]
    return tuple(calls), turns(talk, orders), answer_source


def _next(plan: _Plan, dice: Dice, wants: Sequence[Want]) -> Want:
    """Draw the next change, often a change to a thing that the request has already named."""
    recoverable = [want for want in wants if want.first]
    if dice.chance(1) and recoverable:
        return dice.one_of(recoverable)
    if (plan.named or plan.drawn) and dice.chance(plan.shape.near):
        related = [
            want
            for want in wants
            if any(
                name in plan.drawn or (isinstance(source, Named) and id(source) in plan.named)
                for name, source in want.take.items()
            )
        ]
        if related:
            return dice.one_of(related)
    return dice.one_of(wants)


def _tried(plan: _Plan, want: Want) -> tuple[_Plan, tuple[str, ...]] | None:
    before = len(plan.calls)
    extended = plan.copy()
    try:
        with plan.session.trial():
            order = extended.do(want)
    except _DrawError:
        return None
    if len(extended.calls) > plan.shape.calls[1]:
        return None
    for call in extended.calls[before:]:
        plan.session.call(call.tool, call.arguments)
    return extended, order
