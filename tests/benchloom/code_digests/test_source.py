import ast
from pathlib import Path

from benchloom.code_digests.source import read_definition, read_module, read_tree

EVERYTHING = '''
"""What a module may hold."""
import a.b.c
import d.e as f
from . import g
from ..h import i as j

X: int = 1
Y = Z = "\\u00e9\\U0001f9f6\\x07\\ud800", b"\\xff", 1e400, 2j, ..., None, True
[P, *Q] = 1, 2, 3


@decorated(f"{X!r:>{Y}}", *Z, key=lambda a, /, b=1, *, c, **d: (yield))
async def work[T](n: "int" = 0) -> None:
    """Told."""
    global X
    async with open(n) as one, two:
        await one
    try:
        X += 1
    except* (A, B) as error:
        raise C from error
    else:
        del X[1:2, ::3]
    finally:
        assert n, f"{n=} {n:%H:%M} {{}}" "more" f"{n}"
    match n:
        case {"a": [1, *_], **rest} | Point(x=0) if (m := n):
            return [x async for x in n if x]
        case _:
            pass


class Held(Base, metaclass=Meta):
    """Told."""

    slot: int
    """Told too."""
'''.replace("work[T]", "work")


def digest_of(text: str, tmp_path: Path) -> str:
    path = tmp_path / "module.py"
    path.write_text(text)
    module = read_tree("p.q.module", path)
    statements = tuple(one for found in module.statements.values() for one in found)
    return read_definition(module, (*statements, *module.always)).digest


def test_every_version_of_python_gives_the_same_digest(tmp_path: Path) -> None:
    expected = "cb835e5dd1903f7019df84cfdd8c75a9f0c6123cba0a8b7d58a8b325b20c7b12"
    assert digest_of(EVERYTHING, tmp_path) == expected


def test_formatting_tells_nothing(tmp_path: Path) -> None:
    unparsed = ast.unparse(ast.parse(EVERYTHING))
    assert unparsed != EVERYTHING
    assert digest_of(unparsed, tmp_path) == digest_of(EVERYTHING, tmp_path)


def test_what_imports_bind(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(EVERYTHING)
    assert read_module("p.q.module", path).imports == {
        "a": "a",
        "f": "d.e",
        "g": "p.q:g",
        "j": "p.h:i",
    }
    package = tmp_path / "__init__.py"
    package.write_text("from . import g\nfrom .h import i\nfrom ..k import m\n")
    assert read_module("p.q", package).imports == {"g": "p.q:g", "i": "p.q.h:i", "m": "p.k:m"}


def test_what_a_module_binds_and_does(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(EVERYTHING + "X.attribute = 1\nfor n in X:\n    import late\nif X:\n    pass\n")
    module = read_module("p.q.module", path)
    assert set(module.definitions) == {"X", "Y", "Z", "P", "Q", "work", "Held"}
    assert len(read_tree("p.q.module", path).always) == 3
    assert module.always is not None
    assert module.imports["late"] == "late"
