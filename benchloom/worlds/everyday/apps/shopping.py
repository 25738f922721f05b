"""The app of a shop, with products of a limited stock, a basket, orders and reviews."""

from itertools import product
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.apps import wallet
from benchloom.worlds.everyday.rules import (
    USER,
    Cents,
    Id,
    Limit,
    Note,
    Query,
    choice,
    day,
    exists,
    number,
    person_id,
    refuse_if_any,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

_MAKERS = ("Alder", "Quill", "Tarn")
_KINDS: dict[str, tuple[tuple[str, int], ...]] = {
    "books": (
        ("Tide tables", 1_450),
        ("Cookbook of roots", 2_900),
        ("Atlas of ferries", 3_800),
        ("Bread at home", 2_250),
    ),
    "clothes": (
        ("rain jacket", 8_900),
        ("wool socks", 1_200),
        ("canvas shoes", 5_400),
        ("straw hat", 2_600),
    ),
    "garden": (
        ("watering can", 1_900),
        ("seed box", 750),
        ("hand rake", 1_350),
        ("bird house", 2_400),
    ),
    "kitchen": (("kettle", 3_900), ("bread knife", 2_100), ("tea pot", 2_750), ("toaster", 4_500)),
    "outdoor": (
        ("tent", 15_900),
        ("camping stove", 4_800),
        ("head torch", 2_300),
        ("map", 990),
    ),
    "toys": (("wooden train", 3_200), ("kite", 1_700), ("puzzle", 1_100), ("marbles", 450)),
}


Category: TypeAlias = Literal["books", "clothes", "garden", "kitchen", "outdoor", "toys"]
OrderStatus: TypeAlias = Literal["placed", "shipped", "delivered", "cancelled", "returned"]
Quantity: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=20)]
Stars: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=5)]
SHOP = "Quay Street Shop"
RETURN_DAYS = 30
"""The number of days after an order during which the order can be returned."""
_SCHEMA = """
CREATE TABLE products (
    product_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0)
) STRICT;
CREATE TABLE stock (
    product_id TEXT PRIMARY KEY REFERENCES products (product_id),
    pieces INTEGER NOT NULL CHECK (pieces >= 0)
) STRICT;
CREATE VIEW stocked_products AS SELECT * FROM products JOIN stock USING (product_id);
CREATE TABLE basket (
    product_id TEXT PRIMARY KEY REFERENCES products (product_id),
    quantity INTEGER NOT NULL CHECK (quantity > 0)
) STRICT;
CREATE VIEW basket_lines AS SELECT * FROM basket JOIN products USING (product_id);
CREATE TABLE orders (
    order_id TEXT PRIMARY KEY,
    buyer_id TEXT NOT NULL REFERENCES people (person_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    payment_id TEXT REFERENCES payments (payment_id),
    status TEXT NOT NULL,
    total_cents INTEGER NOT NULL CHECK (total_cents > 0),
    ordered_on TEXT NOT NULL
) STRICT;
CREATE TABLE order_lines (
    order_id TEXT NOT NULL REFERENCES orders (order_id),
    product_id TEXT NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    PRIMARY KEY (order_id, product_id)
) STRICT;
CREATE TABLE reviews (
    review_id TEXT PRIMARY KEY,
    product_id TEXT NOT NULL REFERENCES products (product_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    text TEXT NOT NULL,
    UNIQUE (product_id, person_id)
) STRICT;
"""
_ORDERS: tuple[tuple[str, OrderStatus, int, int, tuple[tuple[str, int], ...]], ...] = (
    ("2027-03-14", "placed", 1, 1, (("Alder kettle", 1), ("Quill puzzle", 2))),
    ("2027-03-13", "placed", 1, 5, (("Tarn kite", 1),)),
    ("2027-03-11", "shipped", 1, 1, (("Quill rain jacket", 1),)),
    ("2027-03-04", "delivered", 1, 1, (("Alder Bread at home", 1), ("Tarn bread knife", 1))),
    ("2027-02-20", "delivered", 1, 8, (("Quill wooden train", 1),)),
    ("2027-01-16", "delivered", 1, 1, (("Alder head torch", 2),)),
    ("2027-03-12", "placed", 3, 1, (("Tarn tea pot", 1),)),
    ("2027-03-02", "delivered", 4, 1, (("Quill seed box", 3),)),
)
_REVIEWS = (
    ("Alder kettle", 11, 4, "Boils fast, sings loudly."),
    ("Alder kettle", 24, 2, "The lid sticks."),
    ("Quill rain jacket", 31, 5, "Dry on the ferry at last."),
    ("Tarn kite", 42, 5, "Flies in any wind."),
    ("Tarn bread knife", 23, 5, "Cuts crust and crumb."),
    ("Alder Bread at home", 23, 3, "Too much rye."),
    ("Quill tent", 17, 3, "Fine for one, tight for two."),
    ("Alder seed box", 58, 4, "All of the beans came up."),
)
_BASKET = 3
"""The number of products in the initial basket, which are the cheapest with a large stock."""
_PLENTY = 10


class Product(msgspec.Struct, frozen=True):
    """A product, and the number of pieces in stock."""

    product_id: str
    name: str
    category: Category
    price_cents: int
    pieces: int


class Line(msgspec.Struct, frozen=True):
    """A product in a basket or order: its quantity and its price per piece."""

    product_id: str
    quantity: int
    price_cents: int


class Basket(msgspec.Struct, frozen=True):
    """The products that the user is about to buy."""

    lines: list[Line]
    total_cents: int


class Order(msgspec.Struct, frozen=True):
    """An order of a buyer for a person; `payment_id` is the payment of the user, if any."""

    order_id: str
    buyer_id: str
    person_id: str
    payment_id: str | None
    status: OrderStatus
    total_cents: int
    ordered_on: str


class OrderLines(msgspec.Struct, frozen=True):
    """An order and its products."""

    order: Order
    lines: list[Line]


class Review(msgspec.Struct, frozen=True):
    """A person's opinion of a product."""

    review_id: str
    product_id: str
    person_id: str
    stars: int
    text: str


PRODUCTS = Table("stocked_products", Product, order="price_cents, name")
BASKET_LINES = Table("basket_lines", Line)
ORDER_LINES = Table("order_lines", Line, order="product_id")
ORDERS = Table("orders", Order, order="ordered_on DESC, order_id")
REVIEWS = Table("reviews", Review, id_of=("product_id", "person_id"), order="stars DESC, person_id")


@read_tool(
    query="a part of the name.",
    category="only products of this category.",
    max_price_cents="the maximum price per piece, in cents.",
    in_stock="only products in stock.",
)
def search_products(
    state: State,
    *,
    query: Query = "",
    category: Category | None = None,
    max_price_cents: Cents | None = None,
    in_stock: bool = False,
) -> list[Product]:
    """Find products, cheapest first."""
    where = {"price_cents <= ?": max_price_cents, "pieces > ?": 0 if in_stock else None}
    return PRODUCTS.search(state, query, where=where, category=category)


get_product = PRODUCTS.get_tool("shopping.get_product", "Look at one product.")


@read_tool()
def show_basket(state: State) -> Basket:
    """Return the basket of the user, with its total price."""
    lines = BASKET_LINES.search(state)
    return Basket(lines, _total(lines))


@tool(quantity="the number of pieces.")
def add_to_basket(state: State, *, product_id: Id, quantity: Quantity = 1) -> Basket:
    """Add a product to the basket."""
    _check_pieces(state, product_id, quantity)
    message = "the basket has this product; change its quantity"
    refuse_if_any(state, message, "basket", product_id=product_id)
    state.add("basket", product_id=product_id, quantity=quantity)
    return show_basket(state)


@tool(quantity="the new number of pieces.")
def update_basket(state: State, *, product_id: Id, quantity: Quantity) -> Basket:
    """Change the number of pieces of a product in the basket."""
    _check_pieces(state, product_id, quantity)
    state.change("basket", {"product_id": product_id}, quantity=quantity)
    return show_basket(state)


@tool()
def remove_from_basket(state: State, *, product_id: Id) -> Basket:
    """Remove a product from the basket."""
    state.remove("basket", product_id=product_id)
    return show_basket(state)


@tool(person_id="the recipient; the default is the user.")
def create_order(state: State, *, card_id: Id, person_id: Id = USER) -> Order:
    """Order all products in the basket and pay by card; the basket is then empty."""
    basket = show_basket(state)
    if not basket.lines:
        raise RefusedError("unavailable", "the basket is empty")
    state.row("people", person_id=person_id)
    for line in basket.lines:
        _check_pieces(state, line.product_id, line.quantity)
    payment = wallet.charge(state, card_id, basket.total_cents, SHOP, "")
    for line in basket.lines:
        _change_stock(state, line.product_id, -line.quantity)
        state.remove("basket", product_id=line.product_id)
    return _add_order(
        state,
        basket.lines,
        buyer_id=USER,
        person_id=person_id,
        payment_id=payment.payment_id,
        status="placed",
        ordered_on=today(state),
    )


@read_tool(status="only orders of this status.", person_id="only orders for this recipient.")
def search_orders(
    state: State,
    *,
    status: OrderStatus | None = None,
    person_id: Id | None = None,
    limit: Limit = 20,
) -> list[Order]:
    """Find the user's orders, and orders for the user, latest first."""
    return ORDERS.search(state, limit=limit, status=status, person_id=person_id)


@read_tool(order_id="its id.")
def get_order(state: State, *, order_id: Id) -> OrderLines:
    """Look at one order and its products."""
    return OrderLines(ORDERS.get(state, order_id), ORDER_LINES.search(state, order_id=order_id))


@tool(person_id="the new recipient.")
def update_order(state: State, *, order_id: Id, person_id: Id) -> Order:
    """Change the recipient of an order of the user that is not shipped."""
    _own_order(state, order_id, "placed")
    state.row("people", person_id=person_id)
    return ORDERS.change(state, order_id, person_id=person_id)


@tool()
def cancel_order(state: State, *, order_id: Id) -> Order:
    """Cancel an order of the user that is not shipped; the price is refunded."""
    return _end_order(state, _own_order(state, order_id, "placed"), "cancelled")


@tool()
def return_order(state: State, *, order_id: Id) -> Order:
    """Return a delivered order of the user within 30 days; the price is refunded."""
    order = _own_order(state, order_id, "delivered")
    if (day(today(state)) - day(order.ordered_on)).days > RETURN_DAYS:
        raise RefusedError("unavailable", f"the order is more than {RETURN_DAYS} days old")
    return _end_order(state, order, "returned")


@read_tool()
def search_reviews(state: State, *, product_id: Id) -> list[Review]:
    """Find the reviews of a product, best first."""
    PRODUCTS.get(state, product_id)
    return REVIEWS.search(state, product_id=product_id)


@tool(stars="from 1 (bad) to 5 (good).", text="in words.")
def create_review(state: State, *, product_id: Id, stars: Stars, text: Note = "") -> Review:
    """Review a product from a delivered order of the user."""
    PRODUCTS.get(state, product_id)
    bought = {"order_id IN (SELECT order_id FROM order_lines WHERE product_id = ?)": product_id}
    if not exists(state, "orders", bought, buyer_id=USER, status="delivered"):
        raise RefusedError("permission", "the user can only review products from delivered orders")
    return REVIEWS.add(state, product_id=product_id, person_id=USER, stars=stars, text=text)


@tool(review_id="its id.")
def delete_review(state: State, *, review_id: Id) -> Review:
    """Delete a review of the user and return it."""
    if REVIEWS.get(state, review_id).person_id != USER:
        raise RefusedError("permission", "another person wrote the review")
    return REVIEWS.remove(state, review_id)


def _total(lines: list[Line]) -> int:
    return sum(line.quantity * line.price_cents for line in lines)


def _check_pieces(state: State, product_id: str, quantity: int) -> None:
    product = PRODUCTS.get(state, product_id)
    if product.pieces < quantity:
        raise RefusedError("unavailable", f"the shop has {product.pieces} pieces of {product.name}")


def _change_stock(state: State, product_id: str, pieces: int) -> None:
    had = number(state.row("stock", product_id=product_id)["pieces"])
    state.change("stock", {"product_id": product_id}, pieces=had + pieces)


def _own_order(state: State, order_id: str, status: OrderStatus) -> Order:
    order = ORDERS.get(state, order_id)
    if order.buyer_id != USER:
        raise RefusedError("permission", "another person placed the order")
    if order.status != status:
        raise RefusedError("unavailable", f"the order is {order.status}, not {status}")
    return order


def _end_order(state: State, order: Order, status: OrderStatus) -> Order:
    if order.payment_id is not None:
        wallet.refund(state, order.payment_id, order.total_cents)
    for line in ORDER_LINES.search(state, order_id=order.order_id):
        _change_stock(state, line.product_id, line.quantity)
    return ORDERS.change(state, order.order_id, status=status)


def _add_order(
    state: State, lines: list[Line], *, buyer_id: str, person_id: str, **values: Cell
) -> Order:
    content = ",".join(f"{line.product_id}:{line.quantity}" for line in lines)
    order = ORDERS.add(
        state,
        buyer_id,
        person_id,
        content,
        values["ordered_on"],
        buyer_id=buyer_id,
        person_id=person_id,
        total_cents=_total(lines),
        **values,
    )
    for line in lines:
        state.add("order_lines", order_id=order.order_id, **msgspec.structs.asdict(line))
    return order


def _fill(state: State) -> None:
    for category, kinds in _KINDS.items():
        for (kind, base), (rank, maker) in product(kinds, enumerate(_MAKERS)):
            name = f"{maker} {kind}"
            new_product_id = state.new_id("products", name)
            state.add(
                "products",
                product_id=new_product_id,
                name=name,
                category=category,
                price_cents=base + rank * (base // 80) * 10,
            )
            pieces = choice((0, 1, 2, 5, 12, 30), "stock", maker, kind)
            state.add("stock", product_id=new_product_id, pieces=pieces)
    products = {item.name: item for item in PRODUCTS.search(state)}
    card = wallet.card_called(state, "Blue card")
    for on, status, buyer, whom, quantities in _ORDERS:
        lines = [
            Line(products[name].product_id, count, products[name].price_cents)
            for name, count in quantities
        ]
        payment_id = None
        if person_id(buyer) == USER:
            payment_id = wallet.charge(state, card, _total(lines), SHOP, "", on=on).payment_id
        _add_order(
            state,
            lines,
            buyer_id=person_id(buyer),
            person_id=person_id(whom),
            payment_id=payment_id,
            status=status,
            ordered_on=on,
        )
    plenty = [item for item in products.values() if item.pieces > _PLENTY]
    for item in plenty[:_BASKET]:
        state.add("basket", product_id=item.product_id, quantity=1)
    for name, whose, stars, text in _REVIEWS:
        REVIEWS.add(
            state,
            product_id=products[name].product_id,
            person_id=person_id(whose),
            stars=stars,
            text=text,
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("shopping", globals()),
    needs=("people", "wallet"),
    frozen=("products",),
    goals={
        "add_to_basket": "put something into my basket",
        "create_order": "order what is in my basket",
        "create_review": "review a product",
        "return_order": "return an order",
        "show_basket": "find out {} of my basket",
        "update_basket": "change how many of a product are in my basket",
    },
)
