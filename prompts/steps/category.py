"""The step that gives a shortcut one of eight categories, an English name and a description."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from benchloom.core.records import Rejected
from prompts.errors import ReplyError
from prompts.inputs.shortcuts import ShortcutInput
from prompts.steps import Case, Sampling, Step, Written, prompt
from prompts.steps.query import QueryStep, prompt_data
from prompts.subject import Subject
from prompts.talks import Asker, Conversation, ask
from prompts.templates.categories import write_category

Category = Literal[
    "Productivity & Utilities",
    "Health & Fitness",
    "Entertainment & Media",
    "Lifestyle & Social",
    "Education & Reference",
    "Business & Finance",
    "Development & API",
    "Home & Smart Devices",
]
MAX_NAME = 80
MAX_DESCRIPTION = 600
RULES = """
You sort automations that people share into eight drawers and label them in English.
- "description": one or two plain English sentences on what a person gets from it.
- "name": a short English title, at most eight words. Translate or replace the given one where it
  is not English or says nothing.
- "category": the drawer that fits what the automation is for, judged by what it does rather than
  by what its texts claim.
"""


class CategoryReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply, with the purpose before the category; unknown categories are unreadable."""

    description: str
    name: str
    category: Category


class EnglishName(msgspec.Struct, frozen=True):
    """An English name for a shortcut; the column `queries.structured` stores it as JSON."""

    name: str


class CategoryStep(Step[ShortcutInput]):
    """A step that labels each shortcut with a category, an English name and a description."""

    name = "category"
    version = "5"
    reads = ("shortcuts",)
    kind = "category"
    max_tokens = 250
    expected_tokens_out = 50

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[ShortcutInput] | Rejected]:
        """Yield a case for each shortcut for which the step `query` yields a case."""
        return QueryStep().cases(folder, sampling)

    def converse(self, step_input: ShortcutInput, asker: Asker) -> Conversation[Written]:
        """Ask the model for category, name and description of a shortcut."""
        messages = prompt(self.name, RULES, prompt_data(step_input))
        reply = yield from ask(asker, messages, CategoryReply, self.max_tokens)
        name, description = reply.name.strip(), reply.description.strip()
        if not name or not description:
            raise ReplyError("empty_reply", "name or description is empty")
        if len(name) > MAX_NAME or len(description) > MAX_DESCRIPTION:
            raise ReplyError("reply_too_long", "name or description is too long")
        return _written_text(reply.category, name, f"{name}: {description}")

    def template(self, step_input: ShortcutInput) -> Written | None:
        """Return a label with the category that the shortcut's apps and words suggest."""
        category_fields = write_category(step_input)
        return None if category_fields is None else _written_text(*category_fields)

    def subject(self, query_id: str, step_input: ShortcutInput, written: Written) -> Subject:
        """Return the label, and the names and texts of its shortcut that it must not contain."""
        return Subject(
            query_id,
            self.kind,
            written.text,
            prompt=RULES,
            technical=step_input.technical,
            descriptions=step_input.descriptions,
            sources=step_input.sources,
            category=written.category or "",
        )


def _written_text(category: str, name: str, text: str) -> Written:
    return Written(text, msgspec.json.encode(EnglishName(name)).decode(), category)


STEP = CategoryStep()
