"""The products of the shop: category, name, price in cents, pieces at the start."""

from collections.abc import Iterator

from benchloom.worlds.suites.everyday.rules import drawn

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


def goods() -> Iterator[tuple[str, str, int, int]]:
    """Every product; some are sold out, of some one or two are left."""
    for category, names in _KINDS.items():
        for name, base in names:
            for maker_index, maker in enumerate(_MAKERS):
                price = base + maker_index * (base // 8 // 10) * 10
                left = (0, 1, 2, 5, 12, 30)[drawn(6, "stock", maker, name)]
                yield category, f"{maker} {name}", price, left
