"""Shopping: stock is never below nothing, and what is cancelled is as if it had never been."""

from tests.benchloom.worlds.suites.everyday.support import Visit

STOCK = "SELECT pieces FROM stock"


def emptied(visit: Visit) -> str:
    """Empty the basket; gives the id of a card."""
    for line in visit.call("shopping.show_basket")["lines"]:
        visit.call("shopping.remove_from_basket", product_id=line["product_id"])
    return str(visit.first("wallet.search_cards", query="blue")["card_id"])


def test_an_order_takes_stock_and_money_and_a_cancelled_one_gives_them_back(visit: Visit) -> None:
    had, stock = visit.balance(), visit.cells(STOCK)
    card = emptied(visit)
    first_product, two = [p for p in visit.call("shopping.search_products") if p["pieces"] > 2][:2]
    visit.call("shopping.add_to_basket", product_id=first_product["product_id"])
    visit.call("shopping.add_to_basket", product_id=two["product_id"])
    basket = visit.call("shopping.update_basket", product_id=two["product_id"], quantity=3)
    assert basket["total_cents"] == first_product["price_cents"] + 3 * two["price_cents"]
    order = visit.call("shopping.create_order", card_id=card, person_id="p012")
    assert visit.balance() == had - basket["total_cents"] == had - order["total_cents"]
    left = visit.call("shopping.get_product", product_id=two["product_id"])["pieces"]
    assert left == two["pieces"] - 3
    assert visit.call("shopping.show_basket") == {"lines": [], "total_cents": 0}
    visit.call("shopping.cancel_order", order_id=order["order_id"])
    assert (visit.balance(), visit.cells(STOCK)) == (had, stock)
    visit.refuses("unavailable", "shopping.cancel_order", order_id=order["order_id"])


def test_nobody_buys_what_is_not_there(visit: Visit) -> None:
    card = emptied(visit)
    visit.refuses("unavailable", "shopping.create_order", card_id=card)
    products = visit.call("shopping.search_products")
    out = next(product for product in products if product["pieces"] == 0)["product_id"]
    last = next(product for product in products if product["pieces"] == 1)["product_id"]
    visit.refuses("unavailable", "shopping.add_to_basket", product_id=out)
    visit.call("shopping.add_to_basket", product_id=last)
    visit.refuses("conflict", "shopping.add_to_basket", product_id=last)
    visit.refuses("unavailable", "shopping.update_basket", product_id=last, quantity=2)
    visit.call("shopping.create_order", card_id=card)
    visit.refuses("unavailable", "shopping.add_to_basket", product_id=last)
    assert min(visit.cells(STOCK)) == (0,)


def test_a_refused_payment_leaves_the_basket(visit: Visit) -> None:
    emptied(visit)
    card = visit.first("wallet.search_cards", query="household")
    tent = next(
        product
        for product in visit.call("shopping.search_products", query="tent", in_stock=True)
        if product["price_cents"] > card["limit_cents"]
    )
    visit.call("shopping.add_to_basket", product_id=tent["product_id"])
    visit.refuses("unavailable", "shopping.create_order", card_id=card["card_id"])
    assert len(visit.call("shopping.show_basket")["lines"]) == 1


def test_who_may_change_an_order(visit: Visit) -> None:
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


def test_who_bought_it_may_review_it(visit: Visit) -> None:
    kettle = visit.first("shopping.search_products", query="alder kettle")["product_id"]
    knife = visit.first("shopping.search_products", query="tarn bread knife")["product_id"]
    visit.refuses("permission", "shopping.create_review", product_id=kettle, stars=1)
    visit.call("shopping.create_review", product_id=knife, stars=5)
    visit.refuses("conflict", "shopping.create_review", product_id=knife, stars=4)
    foreign = visit.first("shopping.search_reviews", product_id=kettle)["review_id"]
    visit.refuses("permission", "shopping.delete_review", review_id=foreign)


def test_the_shop_has_some_of_each_and_some_sold_out(visit: Visit) -> None:
    products = visit.call("shopping.search_products")
    assert len({product["name"] for product in products}) == len(visit.cells(STOCK)) == 72
    assert {0, 1} < {product["pieces"] for product in products}
