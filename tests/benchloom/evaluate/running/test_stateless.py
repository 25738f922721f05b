"""Which sources can leave nothing behind: what is not known to be harmless is not."""

import pytest

from benchloom.evaluate.running.stateless import is_stateless

HARMLESS = [
    "def half(amount):\n    return amount / 2",
    "import math as m\nPI = 3.1\n\ndef f(a: int) -> float:\n    return m.sqrt(sum(a) * PI)",
    "from typing import List\n\ndef f(a: List[int]) -> List[int]:\n    return sorted(a)",
    "found = [1]\n\ndef f(more={'a': ()}):\n    found.append(more)\n    return found",
    "from math import sqrt\n\ndef f(a, b=1, *c, d=(1, -2)):\n    return {x: sqrt(x) for x in c}",
    "def f(words):\n    found = {}\n    for one in words: found[one] = 1\n    return found",
    "import re\n\ndef f(a):\n    try: return re.sub('a', 'b', a)\n    except ValueError as e: pass",
]
OTHERS = [
    "def f(:",
    "import os\n\ndef f():\n    return 1",
    "def f():\n    import math\n    return 1",
    "found = list()\n\ndef f():\n    return 1",
    "import math\n\ndef f(found=[math]):\n    return found",
    "def f():\n    return [].__class__.__base__.__subclasses__()",
    "def f():\n    return getattr(f, '__globals__')",
    "def f():\n    return eval('1')",
    "def f():\n    return __import__('os')",
    "def f():\n    return __builtins__",
    "import re\n\ndef f():\n    return re.enum.sys.modules",
    "import re\n\ndef f():\n    m = re\n    return m.enum",
    "import re as r\n\ndef f(m=r):\n    return m.enum",
    "import math\n\ndef f():\n    math.sqrt = abs",
    "import math\n\ndef f():\n    for math.sqrt in [1]: pass",
    "import math\n\ndef f():\n    del math.sqrt",
    "import string as s\n\ndef f():\n    return s.Formatter().get_field('0.__globals__', (f,), {})",
    "from string import Formatter\n\ndef f():\n    return 1",
    "import typing\n\ndef f(a: 'open(1)'):\n    return typing.get_type_hints(f)",
    "from math import *\n\ndef f():\n    return 1",
    "from . import a\n\ndef f():\n    return 1",
    "def f():\n    global g\n    g = 1",
    "class A:\n    pass",
    "@print\ndef f():\n    return 1",
    "def f():\n    return (x for x in ()).gi_frame.f_builtins",
    "print(1)\n\ndef f():\n    return 1",
    "async def f():\n    return 1",
    "def f():\n    raise SystemExit",
    "def f():\n    return '(' " + "+ '('" * 20_000,
]


@pytest.mark.parametrize("source", HARMLESS)
def test_what_can_leave_nothing_behind(source: str) -> None:
    assert is_stateless(source)


@pytest.mark.parametrize("source", OTHERS, ids=lambda one: one[:60])
def test_what_may_leave_something_behind(source: str) -> None:
    assert not is_stateless(source)
