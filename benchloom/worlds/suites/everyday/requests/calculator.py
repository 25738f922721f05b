"""The requests for calculations that users can make, with their wording."""

from benchloom.core.records.values import Plain  # noqa: TC001  the other types of this module are needed at run time
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.draws import cents, number
from benchloom.worlds.requests.wants import Drawn, Named, Question, Requests, ask
from benchloom.worlds.suites.everyday.requests._objects import BALANCE, BILL_AMOUNT, PRICE


def _expression(dice: Dice) -> Drawn:
    first, second, third = (2 + dice.below(97) for _ in range(3))
    expression = dice.one_of(
        (
            f"{first} * {second} + {third}",
            f"({first} + {second}) * {third}",
            f"{first * third} / {third} - {second}",
            f"{first}.5 * {second}",
        )
    )
    return Drawn(expression, expression)


def _numbers(dice: Dice) -> Drawn:
    numbers: list[Plain] = [5 + dice.below(95) for _ in range(3 + dice.below(3))]
    return Drawn(numbers, f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}")


def _of_all(field: str) -> Named:
    return Named("calculator.summarise_numbers", field, "{numbers}", by={"numbers": _numbers})


REQUESTS = Requests(
    questions=(
        ask("work out {expression}", "calculator.calculate", "value", {"expression": _expression}),
        ask(
            "tell me what {percent} percent of {of} is",
            "calculator.percentage",
            "value",
            {"percent": number(3, 40), "of": number(120, 900)},
        ),
        ask(
            "work out how much each pays if {people} people share {amount_cents}",
            "calculator.split_cents",
            "shares_cents",
            {"people": number(3, 7), "amount_cents": cents(2000, 20000)},
        ),
        *(
            ask(
                "tell me how much each of us pays if {people} of us share {amount_cents}",
                "calculator.split_cents",
                "shares_cents",
                {"people": number(3, 7), "amount_cents": whole},
            )
            for whole in (BILL_AMOUNT, PRICE, BALANCE)
        ),
        Question("add up {it}", _of_all("total")),
        Question("tell me the mean of {it}", _of_all("mean")),
    )
)
