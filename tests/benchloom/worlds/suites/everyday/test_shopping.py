"""Check that orders change stock and money and that cancelled orders restore both."""

from tests.benchloom.worlds.suites.everyday.support import Visit

STOCK = "SELECT pieces FROM stock"


def empty_basket(visit: Visit) -> str:
    """Empty the basket and return the id of the blue card."""
    for line in visit.call("shopping.show_basket")["lines"]:
        visit.call("shopping.remove_from_basket", product_id=line["product_id"])
    return str(visit.first("wallet.search_cards", query="blue")["card_id"])


def test_cancelled_order_restores_stock_and_money(visit: Visit) -> None:
    balance, stock = visit.balance(), visit.cells(STOCK)
    card = empty_basket(visit)
    first_product, second_product = [
        p for p in visit.call("shopping.search_products") if p["pieces"] > 2
    ][:2]
    visit.call("shopping.add_to_basket", product_id=first_product["product_id"])
    visit.call("shopping.add_to_basket", product_id=second_product["product_id"])
    basket = visit.call(
        "shopping.update_basket", product_id=second_product["product_id"], quantity=3
    )
    assert basket["total_cents"] == first_product["price_cents"] + 3 * second_product["price_cents"]
    order = visit.call("shopping.create_order", card_id=card, person_id="p012")
    assert visit.balance() == balance - basket["total_cents"] == balance - order["total_cents"]
    pieces = visit.call("shopping.get_product", product_id=second_product["product_id"])["pieces"]
    assert pieces == second_product["pieces"] - 3
    assert visit.call("shopping.show_basket") == {"lines": [], "total_cents": 0}
    visit.call("shopping.cancel_order", order_id=order["order_id"])
    assert (visit.balance(), visit.cells(STOCK)) == (balance, stock)
    visit.refuses("unavailable", "shopping.cancel_order", order_id=order["order_id"])


def test_products_out_of_stock_cannot_be_bought(visit: Visit) -> None:
    card = empty_basket(visit)
    visit.refuses("unavailable", "shopping.create_order", card_id=card)
    products = visit.call("shopping.search_products")
    sold_out = next(product for product in products if product["pieces"] == 0)["product_id"]
    last_piece = next(product for product in products if product["pieces"] == 1)["product_id"]
    visit.refuses("unavailable", "shopping.add_to_basket", product_id=sold_out)
    visit.call("shopping.add_to_basket", product_id=last_piece)
    visit.refuses("conflict", "shopping.add_to_basket", product_id=last_piece)
    visit.refuses("unavailable", "shopping.update_basket", product_id=last_piece, quantity=2)
    visit.call("shopping.create_order", card_id=card)
    visit.refuses("unavailable", "shopping.add_to_basket", product_id=last_piece)
    assert min(visit.cells(STOCK)) == (0,)


def test_refused_payment_keeps_the_basket(visit: Visit) -> None:
    empty_basket(visit)
    card = visit.first("wallet.search_cards", query="household")
    tent = next(
        product
        for product in visit.call("shopping.search_products", query="tent", in_stock=True)
        if product["price_cents"] > card["limit_cents"]
    )
    visit.call("shopping.add_to_basket", product_id=tent["product_id"])
    visit.refuses("unavailable", "shopping.create_order", card_id=card["card_id"])
    assert len(visit.call("shopping.show_basket")["lines"]) == 1


def test_order_changes_depend_on_buyer_status_and_age(visit: Visit) -> None:
    orders = visit.call("shopping.search_orders")
    other = next(order for order in orders if order["buyer_id"] != "p001")["order_id"]
    shipped = visit.first("shopping.search_orders", status="shipped")["order_id"]
    visit.refuses("permission", "shopping.cancel_order", order_id=other)
    visit.refuses("unavailable", "shopping.cancel_order", order_id=shipped)
    visit.refuses("unavailable", "shopping.update_order", order_id=shipped, person_id="p004")
    old, new = (
        next(order["order_id"] for order in orders if order["ordered_on"] == day)
        for day in ("2027-01-16", "2027-03-04")
    )
    visit.refuses("unavailable", "shopping.return_order", order_id=old)
    assert visit.call("shopping.return_order", order_id=new)["status"] == "returned"


def test_product_can_be_reviewed_only_by_its_buyer(visit: Visit) -> None:
    kettle = visit.first("shopping.search_products", query="alder kettle")["product_id"]
    knife = visit.first("shopping.search_products", query="tarn bread knife")["product_id"]
    visit.refuses("permission", "shopping.create_review", product_id=kettle, stars=1)
    visit.call("shopping.create_review", product_id=knife, stars=5)
    visit.refuses("conflict", "shopping.create_review", product_id=knife, stars=4)
    other_review = visit.first("shopping.search_reviews", product_id=kettle)["review_id"]
    visit.refuses("permission", "shopping.delete_review", review_id=other_review)


def test_shop_has_72_products_and_some_sold_out(visit: Visit) -> None:
    products = visit.call("shopping.search_products")
    assert len({product["name"] for product in products}) == len(visit.cells(STOCK)) == 72
    assert {0, 1} < {product["pieces"] for product in products}
