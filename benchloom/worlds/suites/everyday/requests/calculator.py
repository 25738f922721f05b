"""Sums."""

from benchloom.core.records.values import Plain  # noqa: TC001  beside types that run
from benchloom.worlds.asking.dice import Dice
from benchloom.worlds.asking.draws import cents, number
from benchloom.worlds.asking.wants import Drawn, Named, Question, Requests
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
    return Named(
        "calculator.summarise_numbers", field, "{numbers}", by={"numbers": _numbers}, one=True
    )


REQUESTS = Requests(
    questions=(
        Question(
            "work out {it}",
            Named(
                "calculator.calculate",
                "value",
                "{expression}",
                by={"expression": _expression},
                one=True,
            ),
        ),
        Question(
            "tell me what {it}",
            Named(
                "calculator.percentage",
                "value",
                "{percent} percent of {of} is",
                by={"percent": number(3, 40), "of": number(120, 900)},
                one=True,
            ),
        ),
        Question(
            "work out how much each pays if {it}",
            Named(
                "calculator.split_cents",
                "shares_cents",
                "{people} people share {amount_cents}",
                by={"people": number(3, 7), "amount_cents": cents(2000, 20000)},
                one=True,
            ),
        ),
        *(
            Question(
                "tell me how much each of us pays if {it}",
                Named(
                    "calculator.split_cents",
                    "shares_cents",
                    "{people} of us share {amount_cents}",
                    by={"people": number(3, 7), "amount_cents": whole},
                    one=True,
                ),
            )
            for whole in (BILL_AMOUNT, PRICE, BALANCE)
        ),
        Question("add up {it}", _of_all("total")),
        Question("tell me the mean of {it}", _of_all("mean")),
    )
)
