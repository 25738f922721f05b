"""Instructions of the offline writer: plain sentences made by rule from a planning path."""

from prompts.inputs.planning_paths import PathInput, PlannedCall
from prompts.language.values import title_words
from prompts.subject import Value
from prompts.templates.writer import OPENERS, Choice, end_of, join


def write_instruction(given: PathInput) -> str:
    """One sentence that names every call and states every value the user knows."""
    stated: set[str] = set()
    clauses = [_clause(call, stated) for call in given.calls]
    choice = Choice("".join(clauses))
    opener = choice.of(OPENERS).format(wish=join(list(dict.fromkeys(clauses))))
    return f"{opener}{end_of(opener)}"


def _clause(call: PlannedCall, stated: set[str]) -> str:
    """One call in words; a value that was stated for an earlier call is not repeated."""
    verb = title_words(call.api)
    app = title_words(call.app)
    clause = f"{verb} with {app}" if app not in verb else verb
    fresh = [value for value in call.known if value.value not in stated]
    stated.update(value.value for value in fresh)
    if fresh:
        clause += f" for {join([_named(value) for value in fresh])}"
    return clause


def _named(value: Value) -> str:
    return f"{title_words(value.name)} {value.value}" if value.name else value.value
