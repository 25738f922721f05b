"""Sums."""

from benchloom.core.records.values import Plain  # noqa: TC001  beside types that run
from benchloom.worlds.suites.everyday.asking.dice import Dice
from benchloom.worlds.suites.everyday.asking.draws import cents, number
from benchloom.worlds.suites.everyday.asking.wants import Drawn, Named, Question, Requests
from benchloom.worlds.suites.everyday.requests._things import BALANCE, BILL_AMOUNT, PRICE


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
        tool="calculator.summarise_numbers",
        by={"numbers": _numbers},
        field=field,
        text="{numbers}",
        one=True,
    )


REQUESTS = Requests(
    questions=(
        Question(
            text="work out {it}",
            about=Named(
                tool="calculator.calculate",
                by={"expression": _expression},
                field="value",
                text="{expression}",
                one=True,
            ),
        ),
        Question(
            text="tell me what {it}",
            about=Named(
                tool="calculator.percentage",
                by={"percent": number(3, 40), "of": number(120, 900)},
                field="value",
                text="{percent} percent of {of} is",
                one=True,
            ),
        ),
        Question(
            text="work out how much each pays if {it}",
            about=Named(
                tool="calculator.split_cents",
                by={"people": number(3, 7), "amount_cents": cents(2000, 20000)},
                field="shares_cents",
                text="{people} people share {amount_cents}",
                one=True,
            ),
        ),
        *(
            Question(
                text="tell me how much each of us pays if {it}",
                about=Named(
                    tool="calculator.split_cents",
                    by={"people": number(3, 7), "amount_cents": whole},
                    field="shares_cents",
                    text="{people} of us share {amount_cents}",
                    one=True,
                ),
            )
            for whole in (BILL_AMOUNT, PRICE, BALANCE)
        ),
        Question(text="add up {it}", about=_of_all("total")),
        Question(text="tell me the mean of {it}", about=_of_all("mean")),
    ),
)
