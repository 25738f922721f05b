"""Write an instruction for a plan of API calls by rules, without a model.

Each call becomes a clause: what it does, the values that the user gives for it, and the results of
earlier calls that it takes. A value is stated once; if a later call has the same value, it is
implied, as in people's requests. The beginning of the sentence follows the style of the row.
"""

import itertools
import re

from msgspec.structs import replace

from prompts.inputs.planning_paths import PathInput, PlannedArgument, PlannedCall
from prompts.language.statements import says
from prompts.templates import Choice, join
from prompts.templates.plan_phrases import arranged, named_inside, without_end
from prompts.templates.plan_sentences import Clause, sentence
from prompts.templates.plan_values import (
    is_day,
    named,
    noun_of,
    pointed_at,
    preposition_of,
    value_words,
)
from prompts.templates.plan_verbs import call_object, does

_DAY = re.compile(r"on [A-Z]\w+ \d+\w\w")
_ITS_DAY = re.compile(r"on the day of the (.+)")
_AGAIN = ("do the same", "do that again", "repeat that")
_OR_ELSE = ("if that does not work out, try", "failing that, try", "should that fail, try again")


def write_instruction(path: PathInput) -> str:
    """Return one sentence that asks for every call and states every value that the user knows."""
    apis = (f"{call.app}{call.api}" for call in path.calls)
    choice = Choice("".join((*apis, *(value.value for value in path.stated))))
    clauses = Clauses(choice, path.calls)
    said = [clause for call in path.calls if (clause := clauses.of(call)).words]
    wish = join([clause.words for clause in said])
    missing = [value for value in path.stated if not says(wish, value)]
    if missing:
        # Two values can hide each other in one clause, so the missing values are added by name.
        named = join([f"{value.label or value.name} {value.value}" for value in missing])
        said[-1:] = [replace(clause, words=f"{clause.words} with {named}") for clause in said[-1:]]
    return sentence(said, path.style, choice)


class Clauses:
    """A builder of a sentence's clauses, each without values that an earlier clause states."""

    def __init__(self, choice: Choice, calls: tuple[PlannedCall, ...]) -> None:
        self._choice = choice
        self._calls = calls
        self._stated: set[tuple[str, str]] = set()
        self._texts: set[str] = set()
        self._named: dict[str, set[str]] = {}
        self._before: PlannedCall | None = None
        self._dates: set[str] = set()
        self._day = ""
        self._location = ""
        self._ends: dict[str, str] = {}

    def of(self, call: PlannedCall) -> Clause:
        """Return the clause for a call; it may be empty if the call repeats the previous one."""
        before, self._before = self._before, call
        verb = does(call)
        again = before is not None and (before.app, before.api) == (call.app, call.api)
        if verb:
            return Clause(
                self._again(before, call) if before and again else self._wording(call, verb)
            )
        if before and again:
            if _user_values(before) == _user_values(call):
                return Clause("", is_order=False)
            self._forget()
        return Clause(self._wording(call, call_object(call)), is_order=False)

    def _forget(self) -> None:
        """Forget the stated values, so that the next clause states all of them again."""
        self._texts.clear()
        self._stated.clear()

    def _again(self, before: PlannedCall, call: PlannedCall) -> str:
        """Return the words for a call that follows a call of the same API."""
        if _names(before) - _names(call) and before.outcome not in {"failed", "retried"}:
            self._forget()
            return self._wording(call, does(call))
        if _user_values(before) == _user_values(call):
            return _same_again(before)
        details = self._wording(call, "", _user_values(before))
        if before.outcome in {"failed", "retried"} and _stated_values(call) <= _stated_values(
            before
        ):
            return "if that does not work out, take what is offered instead"
        if re.match("that (is|does|[a-z]+s) ", details):
            details = f"for ones {_of_several(details)}"
        if _DAY.fullmatch(details):
            if not any(is_day(argument) for argument in before.arguments):
                return f"again for {details.removeprefix('on ')}"
            details = f"for {details.removeprefix('on ')}"
        if before.outcome in {"failed", "retried"}:
            return f"{self._choice.of(_OR_ELSE)} {details}"
        return " ".join((self._choice.of(_AGAIN), details)).strip()

    def _wording(
        self, call: PlannedCall, verb: str, before: frozenset[tuple[str, str, int]] = frozenset()
    ) -> str:
        """Return a verb and its details in spoken order: names, places and days, then properties.

        Without a verb, only the arguments that the previous call does not have are worded; `before`
        contains the keys of that call's arguments.
        """
        user_arguments = [argument for argument in call.arguments if argument.must_be_stated]
        for argument in user_arguments:
            verb = _with_choice(verb, argument.value.value)
        taken = [argument for argument in call.arguments if argument.origin == "result"]
        new = [argument for argument in user_arguments if self._is_new(argument, sure=bool(taken))]
        fresh = [
            argument
            for argument in user_arguments
            if (
                self._is_needed(argument, new, taken, verb)
                if verb
                else _key(argument) not in before
            )
        ]
        taken = [argument for argument in taken if verb or _key(argument) not in before]
        repeated = [argument for argument in user_arguments if argument not in fresh]
        words: list[str] = []
        pointed = False
        for argument in (*fresh, *taken):
            inside = named_inside(verb, argument)
            if inside is not None:
                verb = inside
                pointed = pointed or argument.origin == "result"
                continue
            if argument.origin == "user" and argument.value.value.casefold() in verb.split():
                continue
            said = (
                self._pointer(argument, call)
                if argument.origin == "result"
                else value_words(argument, verb)
            )
            verb = without_end(verb, said)
            words.append(said)
        # "That song" already includes its maker.
        makers = [argument for argument in taken if pointed and preposition_of(argument) == "by"]
        words = [said for said in words if said not in {pointed_at(maker) for maker in makers}]
        if verb:
            for argument in repeated:
                verb = named_inside(verb, argument, again=True) or verb
            moved = any(
                self._ends.get(preposition_of(argument)) != _text(argument) for argument in repeated
            )
            words += _earlier_places(repeated, words, named=bool(taken), moved=moved)
            words += self._days(repeated, words, verb)
        self._remember(call)
        words = [_ITS_DAY.sub(lambda day: _short_day(day, verb), phrase) for phrase in words]
        return " ".join((verb, *arranged(dict.fromkeys(words), verb))).strip()

    def _days(self, repeated: list[PlannedArgument], words: list[str], verb: str) -> list[str]:
        """Return words for days that earlier clauses state: "on the same day", or the dates.

        The dates are repeated if the sentence has several days.
        """
        shared = [argument for argument in repeated if is_day(argument)]
        if not shared or "on that day" in words:
            return []
        if len(self._dates) > 1 or any(_text(argument) != self._day for argument in shared):
            return [value_words(argument, verb) for argument in shared]
        return ["on the same day"]

    def _pointer(self, argument: PlannedArgument, call: PlannedCall) -> str:
        """Return the phrase for a result of an earlier call, such as "at that restaurant".

        A day becomes "that day" only if it is the last day that a clause states.
        """
        if not is_day(argument):
            return pointed_at(argument)
        if _text(argument) == self._day:
            return "on that day"
        names = (
            name_parts[0]
            for call_argument in call.arguments
            if call_argument.must_be_stated and (name_parts := named(call_argument))
        )
        others = (
            noun_of(other_argument)
            for other in (call, *self._calls)
            for other_argument in other.arguments
            if other_argument.from_step == argument.from_step and not is_day(other_argument)
        )
        sources = self._calls[argument.from_step : argument.from_step + 1]
        taken = (
            noun_of(source) for two in sources for source in two.arguments if source.from_step >= 0
        )
        thing = next(filter(None, itertools.chain(names, others, taken)), "")
        return f"on the day of the {thing}" if thing else "on the day that you find"

    def _is_needed(
        self,
        argument: PlannedArgument,
        new: list[PlannedArgument],
        taken: list[PlannedArgument],
        verb: str,
    ) -> bool:
        """Whether a clause must state a value, because no earlier words imply the value.

        A new value must be stated. A repeated value must be stated if no earlier clause names it
        for the same parameter or as the current place.
        """
        lead = preposition_of(argument)
        if argument in new:
            return True
        if not lead and not is_day(argument) and named(argument) is None:
            # What one thing is says nothing of another: of two accounts, say.
            role = argument.value.label or argument.value.name
            return (_text(argument), role) not in self._stated
        if lead not in {"from", "to", "in"}:
            return False
        if lead == "in" and (taken or named_inside(verb, argument, again=True)):
            return False
        return _text(argument) not in {self._ends.get(lead), self._location}

    def _remember(self, call: PlannedCall) -> None:
        """Store the places and the day of a call for later clauses."""
        for argument in call.arguments:
            if is_day(argument):
                self._day = _text(argument)
        ends = {
            preposition_of(argument): _text(argument)
            for argument in call.arguments
            if argument.must_be_stated
        }
        self._ends |= ends
        self._location = ends.get("to") or ends.get("in") or ends.get("from") or self._location

    def _is_new(self, argument: PlannedArgument, *, sure: bool) -> bool:
        """Return whether no clause states the value yet, and store the value as stated.

        Equal numbers of different parameters are different values. If several texts were values of
        the parameter, a text is new again, so that the clause says which of them it means. If
        `sure`, the call refers to an earlier result, so the values of this result are implied.
        """
        text = _text(argument)
        name = argument.value.label or argument.value.name
        key = (text, name)
        is_text = any(sign.isalpha() for sign in text) and text not in {"true", "false"}
        shared = is_text or is_day(argument)
        values = self._named.setdefault(name, set())
        values.add(text)
        # Of several accounts or towns a later call says which one it is about.
        ambiguous = is_text and len(values) > 1 and not sure
        if not ambiguous and (key in self._stated or (shared and text in self._texts)):
            return False
        self._stated.add(key)
        self._texts.add(text)
        if is_day(argument):
            self._dates.add(text)
        return True


def _text(argument: PlannedArgument) -> str:
    return argument.value.value.strip().casefold()


def _key(argument: PlannedArgument) -> tuple[str, str, int]:
    return argument.value.name, _text(argument), argument.from_step


def _user_values(call: PlannedCall) -> frozenset[tuple[str, str, int]]:
    """Return the keys of a call's arguments that the user states or that are earlier results."""
    return _stated_values(call) | {
        _key(argument) for argument in call.arguments if argument.origin == "result"
    }


def _stated_values(call: PlannedCall) -> frozenset[tuple[str, str, int]]:
    return frozenset(_key(argument) for argument in call.arguments if argument.must_be_stated)


def _short_day(day: re.Match[str], verb: str) -> str:
    """Return "on its date" if the verb names the thing with the date, else the whole phrase."""
    return "on its date" if f"that {day[1]}" in verb else day[0]


def _same_again(before: PlannedCall) -> str:
    """Return words that ask for the previous call again, or "" if a lookup need not be repeated."""
    if before.outcome in {"failed", "retried"}:
        return "if that does not work out, try it once more"
    return "do that once more" if before.outcome == "ok" else ""


def _names(call: PlannedCall) -> set[str]:
    """Return the names of the parameters whose values the user states."""
    return {argument.value.name for argument in call.arguments if argument.must_be_stated}


def _with_choice(verb: str, value: str) -> str:
    """Return a verb with only the chosen alternative: "to rent" for "to rent or buy"."""

    def chosen(match: re.Match[str]) -> str:
        option = value.strip().casefold()
        return option if option in match.groups() else match[0]

    return re.sub(r"\b(\w+) or (\w+)\b", chosen, verb)


def _of_several(details: str) -> str:
    """Return a singular phrase in the plural: "that serve" for "that serves"."""
    for singular_verb, several in (("is", "are"), ("does", "do"), ("has", "have")):
        if details.startswith(f"that {singular_verb} "):
            return details.replace(f"that {singular_verb} ", f"that {several} ", 1)
    return re.sub(r"^that ([a-z]+)s ", r"that \1 ", details)


def _earlier_places(
    repeated: list[PlannedArgument], words: list[str], *, named: bool, moved: bool
) -> list[str]:
    """Return words for places that an earlier clause states: "there", "from there"."""
    leads = {word.split(" ", 1)[0] for word in words}
    prepositions = {preposition_of(argument) for argument in repeated} & {"in", "from", "to"}
    phrases: list[str] = []
    # A call that repeats both origin and destination of the call before needs no words.
    if prepositions == {"from"} and ("to" in leads or moved):
        phrases.append("from there")
    elif (prepositions == {"to"} and (moved or "from" in leads)) or (
        prepositions == {"in"} and not named
    ):
        phrases += [] if leads & {"in", "there"} else ["there"]
    return phrases
