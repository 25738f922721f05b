"""Checks the table [schedule]: the cron expression and the time zone are valid."""

from collections.abc import Iterator

from prefect.client.schemas.schedules import CronSchedule
from pydantic import ValidationError

from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem

_ANY_TIME = "0 0 * * *"


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield the problems of the cron expression and of the time zone."""
    schedule = context.configuration.schedule
    # Checked separately, because together a fault of one would hide a fault of the other.
    for key, value, cron, timezone in (
        ("cron", schedule.cron, schedule.cron or _ANY_TIME, "UTC"),
        ("timezone", schedule.timezone, _ANY_TIME, schedule.timezone),
    ):
        try:
            CronSchedule(cron=cron, timezone=timezone)
        except ValidationError as error:
            message = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            remedy = "; it has five fields, such as 0 4 * * 1" if key == "cron" else ""
            yield Problem(f"schedule.{key}", f"'{value}': {message}{remedy}")
