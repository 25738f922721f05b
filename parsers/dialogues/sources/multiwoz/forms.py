"""Find the user's acts on a service, and the value that each surface form in the states means."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from parsers.dialogues.provenance.calls import state_values
from parsers.dialogues.sgd.model import Action
from parsers.dialogues.sources.multiwoz.acts import NO_VALUES, Act, SpanDialogue, SpanFrame

Values = dict[str, tuple[str, ...]]
"""A mapping from each slot of a state to its surface forms."""


class Forms:
    """Maps every surface form of a value to the form of this value that occurred first."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], str] = {}

    def add(self, slot: str, forms: Sequence[str]) -> None:
        """Store the surface forms (at least one) of one slot in one state."""
        stored_values = (self._values.get((slot, form.lower())) for form in forms)
        value = next(
            (stored_value for stored_value in stored_values if stored_value is not None), forms[0]
        )
        for form in forms:
            self._values.setdefault((slot, form.lower()), value)
            self._values.setdefault(("", form.lower()), value)

    def value(self, slot: str, form: str) -> str:
        """Return the value of a form in this slot, else in another slot, else the form itself."""
        key = form.lower()
        return self._values.get((slot, key)) or self._values.get(("", key), form)

    def action(self, act: str, slot: str, form: str) -> Action:
        """Return an act in SGD's form, with the value and the surface form of a slot."""
        return Action(act, slot, (self.value(slot, form),), (form,))


def forms_of(dialogue: SpanDialogue) -> Forms:
    """Return the surface forms in all states of a dialogue."""
    dialogue_forms = Forms()
    for turn in dialogue.turns:
        for frame in turn.frames:
            for slot, forms in values_of(frame).items():
                dialogue_forms.add(slot, forms)
    return dialogue_forms


def values_of(frame: SpanFrame) -> Values:
    """Return a mapping from each slot of a state to its forms, without slots that have no form.

    A slot without a form is a fault, which `check_state` reports.
    """
    if frame.state is None:
        return {}
    return {slot: forms for slot, forms in state_values(frame.state.slot_values).items() if forms}


def is_none(form: str) -> bool:
    """Whether a form says that there is no value or that any value will do."""
    return form.lower() in NO_VALUES


def user_actions(
    frame: SpanFrame,
    acts: Sequence[Act],
    before: Mapping[str, tuple[str, ...]],
    system_forms: AbstractSet[str],
    forms: Forms,
) -> tuple[Action, ...]:
    """Return the user's acts on a service, from annotated acts, spans and changes of the state.

    A new value that the system has shown counts as picked by the user; a value copied from another
    slot does not count as said. `before` is the state of the service so far, `system_forms` are
    forms that the system has named, in lower case.
    """
    informed: dict[str, str] = {}
    for act in acts:
        if act.domain == frame.service.lower() and act.does == "inform" and act.value:
            informed.setdefault(f"{frame.service}-{act.slot}", act.value)
    copied = {span.slot for span in frame.slots if span.copy_from}
    for span in frame.slots:
        for value in () if span.copy_from else span.values:
            informed.setdefault(span.slot, value)
    picked = {}
    for slot, slot_forms in values_of(frame).items():
        was = forms.value(slot, before.get(slot, ("",))[0])
        if slot in informed or is_none(slot_forms[0]) or forms.value(slot, slot_forms[0]) == was:
            continue
        if not system_forms.isdisjoint(form.lower() for form in slot_forms):
            picked[slot] = slot_forms[0]
        elif slot not in copied:
            informed[slot] = slot_forms[0]
    return (
        *(forms.action("INFORM", *pair) for pair in informed.items() if not is_none(pair[1])),
        *(forms.action("SELECT", *pair) for pair in picked.items()),
    )
