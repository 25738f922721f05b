"""Provide a sample of the task dialogue step, in which a locked list refuses an entry."""

import msgspec

from prompts.inputs.personas import Persona
from prompts.inputs.tasks import TaskCall, TaskTalk, TaskTurn
from prompts.steps.task_dialogue import TalkInput, TalkReply, TurnReply
from tests.prompts.samples.base import Sample


def _sample() -> Sample[TalkInput]:
    locked = TaskCall(
        "lists.add", {"title": "Oat milk", "list": "Party"}, refused="the list is locked"
    )
    added = TaskCall("lists.add", {"title": "Oat milk", "list": "Groceries"}, {"number": 7})
    talk = TaskTalk(
        "task:sample",
        "everyday",
        (
            TaskTurn(
                'Please put "Oat milk" on my list Party.',
                ("Oat milk", "Party"),
                (locked,),
                "refuse",
                "the list is locked",
            ),
            TaskTurn("Then put it on Groceries.", ("Groceries",), (added,), "confirm"),
        ),
        {"lists.add": "Adds an entry to a list."},
    )
    reply = TalkReply(
        (
            TurnReply("Could you put Oat milk on my Party list?", "That list is locked."),
            TurnReply("Hm, take Groceries instead, please.", "It is on your Groceries list."),
        )
    )
    persona = Persona("a baker who is always in a hurry", "written for this project")
    return Sample(TalkInput(talk, persona), (msgspec.json.encode(reply).decode(),), persona.persona)


SAMPLE = _sample()
