"""Judge whether equal values prove that an argument comes from a result.

Equal names of slots prove it. Counts, booleans and dates are weak values: a weak value links two
slots only when the slots are the same or have the same meaning. The groups below list the slots of
the published schemas that have the same meaning.
"""

import re
from functools import lru_cache

_WEAK = re.compile(
    r"""(?ix)
    true | false | yes | no | none
    | [-+$]? \d[\d.,:/-]* \s* (?: am | pm | % )?      # counts, prices, times, dates, percentages
    """
)
_GROUPS = """
date event_date show_date appointment_date visit_date departure_date leaving_date \
date_of_journey check_in_date pickup_date start_date
return_date check_out_date dropoff_date end_date
time event_time show_time appointment_time alarm_time new_alarm_time available_start_time
departure_time leaving_time journey_start_time outbound_departure_time
party_size number_of_seats num_passengers passengers travelers number_of_adults \
number_of_riders number_of_tickets group_size
amount transfer_amount total total_price price fare ride_fare rent price_per_ticket
seating_class flight_class
category event_type
track song_name
"""
"""Groups of slots with one meaning, one group per line: first day, last day, time of an event,
start of a journey, number of people, money to pay, and categories and names that two services
share."""
GROUP_OF = {
    slot: f"group {i}" for i, group in enumerate(_GROUPS.split("\n")) for slot in group.split()
}


@lru_cache(maxsize=8192)
def is_weak(value: str) -> bool:
    """Whether an equal value proves little, as a count, an amount, a boolean, a date or a time."""
    return _WEAK.fullmatch(value) is not None


@lru_cache(maxsize=8192)
def relation(output: str, argument: str) -> str:
    """Return how two slots relate: same_slot, equivalent_slot or other_slot."""
    if output == argument:
        return "same_slot"
    group = GROUP_OF.get(output)
    if group is not None and group == GROUP_OF.get(argument):
        return "equivalent_slot"
    return "other_slot"
