"""Schedules that cannot be kept."""

from collections.abc import Iterator

from flows.configuration.faults import Fault, shown
from flows.configuration.file import SoundPart
from flows.configuration.sections import ScheduleOptions

_ANY_TIME = "0 0 * * *"


def schedule_faults(part: SoundPart) -> Iterator[Fault]:
    """Faults of the cron expression and of the time zone."""
    for key, message in faults_of(part.configuration.schedule):
        value = shown(getattr(part.configuration.schedule, key))
        yield part.located(Fault(message, ("schedule", key), value))


def faults_of(schedule: ScheduleOptions) -> Iterator[tuple[str, str]]:
    """The key and the line of each fault."""
    if schedule == ScheduleOptions():
        return
    from prefect.client.schemas.schedules import CronSchedule
    from pydantic import ValidationError

    # One after the other: a fault of one would hide that of the other.
    for key, cron, timezone in (
        ("cron", schedule.cron or _ANY_TIME, "UTC"),
        ("timezone", _ANY_TIME, schedule.timezone),
    ):
        try:
            CronSchedule(cron=cron, timezone=timezone)
        except ValidationError as error:
            said = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            yield key, f"schedule.{key}: '{getattr(schedule, key)}': {said}"
