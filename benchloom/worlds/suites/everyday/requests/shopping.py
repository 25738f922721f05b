"""The requests that users can make about products, the basket and orders, with their wording."""

from benchloom.worlds.requests.draws import number, quoted, words
from benchloom.worlds.requests.wants import Named, Policy, Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, up_to_crowns
from benchloom.worlds.suites.everyday.requests._objects import CARD, NAMED_OBJECTS, PERSON, PRODUCT


def _order(status: str) -> Named:
    return Named(
        "shopping.search_orders",
        "order_id",
        "my {status} order for {person_id}",
        by={"status": words(status), "person_id": PERSON},
    )


REQUESTS = requests(
    usual=NAMED_OBJECTS,
    wants=(
        Want(
            "shopping.add_to_basket",
            "add {quantity} of {product_id} to my basket",
            {"product_id": PRODUCT, "quantity": number(2, 6)},
        ),
        Want(
            "shopping.add_to_basket",
            "add {quantity} of {product_id} to my basket",
            {"product_id": PRODUCT, "quantity": number(2, 3)},
            first={"quantity": number(5, 9)},
            otherwise="if there are too few, take {quantity}",
        ),
        Want(
            "shopping.update_basket",
            "change the number of {product_id} in my basket to {quantity}",
            {"product_id": PRODUCT, "quantity": number(2, 9)},
        ),
        Want("shopping.remove_from_basket", "take {product_id} out of the basket"),
        Want(
            "shopping.create_order",
            "order what is in the basket with {card_id}",
            makes=("order_id", "that order"),
        ),
        Want(
            "shopping.create_order",
            "order what is in the basket for {person_id} and pay with {card_id}",
            {"card_id": CARD},
            makes=("order_id", "that order"),
        ),
        Want("shopping.cancel_order", "cancel {order_id}", {"order_id": _order("placed")}),
        Want(
            "shopping.update_order",
            "have {order_id} sent to {person_id} instead",
            {"order_id": _order("placed")},
        ),
        Want("shopping.return_order", "send back {order_id}", {"order_id": _order("delivered")}),
        Want(
            "shopping.create_review",
            "give {product_id} {stars} stars and say {text}",
            {
                "product_id": PRODUCT,
                "stars": number(3, 5),
                "text": quoted("As described.", "Just what I needed.", "Well packed."),
            },
        ),
    ),
    questions=(
        Question("tell me what {it} costs", PRODUCT.for_field("price_cents")),
        Question("tell me how many pieces there are of {it}", PRODUCT.for_field("pieces")),
        ask("tell me what my basket costs", "shopping.show_basket", "total_cents"),
    ),
    policies=(
        Policy(
            "Put at most {limit} pieces of a product into the basket.",
            "shopping.add_to_basket",
            "quantity",
            "at_most",
            ((2, "2"), (3, "3"), (5, "5")),
        ),
        Policy(
            "Put no product into the basket that costs more than {limit} a piece.",
            "shopping.add_to_basket",
            "product_id",
            "at_most",
            up_to_crowns(10, 25, 50, 100),
            "products.price_cents",
        ),
        confirmed("shopping.create_order", "Order the basket"),
        confirmed("shopping.cancel_order", "Cancel an order"),
    ),
)
