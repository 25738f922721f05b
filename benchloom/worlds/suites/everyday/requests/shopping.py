"""Shopping."""

from benchloom.worlds.suites.everyday.asking.draws import number, quoted, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import CARD, PERSON, PRODUCT


def _about(field: str) -> Named:
    return Named(
        tool="shopping.search_products", query="query", name="name", field=field, text="the {name}"
    )


def _order(status: str) -> Named:
    return Named(
        tool="shopping.search_orders",
        by={"status": words(status), "person_id": PERSON},
        field="order_id",
        text="my {status} order for {person_id}",
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="shopping.add_to_basket",
            text="add {quantity} of {product_id} to my basket",
            take={"product_id": PRODUCT, "quantity": number(2, 6)},
        ),
        Want(
            tool="shopping.add_to_basket",
            text="add {quantity} of {product_id} to my basket",
            take={"product_id": PRODUCT, "quantity": number(2, 4)},
            first={"quantity": number(40, 90)},
            otherwise="if there are too few, take {quantity}",
        ),
        Want(
            tool="shopping.update_basket",
            text="change the number of {product_id} in my basket to {quantity}",
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
            tool="shopping.cancel_order",
            text="cancel {order_id}",
            take={"order_id": _order("placed")},
        ),
        Want(
            tool="shopping.update_order",
            text="have {order_id} sent to {person_id} instead",
            take={"order_id": _order("placed"), "person_id": PERSON},
        ),
        Want(
            tool="shopping.return_order",
            text="send back {order_id}",
            take={"order_id": _order("delivered")},
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
