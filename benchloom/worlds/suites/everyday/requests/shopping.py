"""Shopping."""

from benchloom.worlds.suites.everyday.asking.draws import number, quoted
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import CARD, PERSON, PRODUCT


def _about(field: str) -> Named:
    return Named(
        tool="shopping.search_products", query="query", name="name", field=field, text="the {name}"
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="shopping.add_to_basket",
            text="put {quantity} pieces of {product_id} into my basket",
            take={"product_id": PRODUCT, "quantity": number(2, 6)},
        ),
        Want(
            tool="shopping.add_to_basket",
            text="put {quantity} pieces of {product_id} into my basket",
            take={"product_id": PRODUCT, "quantity": number(2, 4)},
            first={"quantity": number(40, 90)},
            otherwise="if there are too few, take {quantity}",
        ),
        Want(
            tool="shopping.update_basket",
            text="make that {quantity} pieces of {product_id}",
            take={"product_id": PRODUCT, "quantity": number(2, 9)},
        ),
        Want(
            tool="shopping.remove_from_basket",
            text="take {product_id} out of the basket",
            take={"product_id": PRODUCT},
        ),
        Want(
            tool="shopping.create_order",
            text="order what is in the basket with {card_id}",
            take={"card_id": CARD},
            makes=("order_id", "that order"),
        ),
        Want(
            tool="shopping.create_order",
            text="order what is in the basket for {person_id} and pay with {card_id}",
            take={"card_id": CARD, "person_id": PERSON},
            makes=("order_id", "that order"),
        ),
        Want(
            tool="shopping.create_review",
            text="give {product_id} {stars} stars and say {text}",
            take={
                "product_id": PRODUCT,
                "stars": number(2, 5),
                "text": quoted("As described.", "Better than I thought.", "Too small for me."),
            },
        ),
    ),
    questions=(
        Question(text="tell me what {it} costs", about=_about("price_cents")),
        Question(text="tell me how many pieces there are of {it}", about=_about("pieces")),
        Question(
            text="tell me what my basket costs",
            about=Named(tool="shopping.show_basket", field="total_cents", text="", one=True),
        ),
    ),
)
