"""Compile the source files of tools, and import the modules that they need.

Tools run in a sandbox, where they cannot open files, so the modules must be imported before the
sandbox starts.
"""

import ast
import importlib
import sys
from collections.abc import Iterator
from types import CodeType

_THIRD = frozenset({"numpy", "pandas", "dateutil", "scipy", "sympy"})
_UNWANTED = frozenset({"__main__", "antigravity", "idlelib", "test", "this", "tkinter", "turtle"})
"""Modules that are not imported, because their import has side effects."""


def compile_source(text: str, name: str) -> CodeType | str:
    """Compile a source file without running it; return its code, or the reason for failure.

    Modules that the source imports are loaded if they are in the standard library or in one of a
    few other packages.
    """
    try:
        tree = ast.parse(text, name)
        code: CodeType = compile(tree, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"{name}: {type(error).__name__}"
    for module in _imports(tree):
        if _is_importable(module):
            try:
                importlib.import_module(module)
            except (ImportError, AttributeError, OSError):
                continue
    return code


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _is_importable(module: str) -> bool:
    root = module.partition(".")[0]
    is_available = root in sys.stdlib_module_names or root in _THIRD
    return is_available and root not in _UNWANTED and module not in sys.modules
