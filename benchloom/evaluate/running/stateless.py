"""Whether the functions of a file can leave anything behind that affects later calls.

Only a harmless subset is allowed: sources that contain nothing but functions, constants and
imports of a few modules, use no name that reaches the interpreter and assign nothing to shared
objects. Any other source counts as harmful: its functions run in a separate process for each
prediction.
"""

import ast
import builtins
import importlib
from types import ModuleType

MODULES = frozenset(
    {"bisect", "cmath", "fractions", "itertools", "math", "re", "statistics", "string", "typing"}
)
_BUILTINS = frozenset(
    {
        "abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "complex", "dict",
        "divmod", "enumerate", "filter", "float", "format", "frozenset", "hash", "hex", "int",
        "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next", "object",
        "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str",
        "sum", "tuple", "zip", "True", "False", "None", "ArithmeticError", "AssertionError",
        "AttributeError", "Exception", "IndexError", "KeyError", "LookupError", "OverflowError",
        "RecursionError", "RuntimeError", "StopIteration", "TypeError", "ValueError",
        "ZeroDivisionError",
    }
)  # fmt: skip
_NODES = tuple(
    getattr(ast, name)
    for name in (
        "Module", "FunctionDef", "Lambda", "Return", "Assign", "AugAssign", "AnnAssign", "For",
        "While", "If", "With", "Raise", "Try", "Assert", "Expr", "Pass", "Break", "Continue",
        "BoolOp", "BinOp", "UnaryOp", "IfExp", "Dict", "Set", "ListComp", "SetComp", "DictComp",
        "GeneratorExp", "Compare", "Call", "FormattedValue", "JoinedStr", "Constant", "Attribute",
        "Subscript", "Starred", "Name", "List", "Tuple", "Slice", "NamedExpr", "ExceptHandler",
        "comprehension", "arguments", "arg", "keyword", "alias", "Import", "ImportFrom", "Delete",
        "expr_context", "boolop", "operator", "unaryop", "cmpop",
    )
)  # fmt: skip
_FRAMES = ("_", "gi_", "cr_", "ag_", "f_", "tb_", "co_", "func_")
"""Prefixes of members that lead from a value to its code, frame or module."""
_REACHING = frozenset({"Formatter", "get_type_hints", "get_overloads", "clear_overloads", "purge"})
"""Functions that find members by text, evaluate text, or change their module."""


def is_stateless(text: str) -> bool:
    """Whether a source is in the harmless subset; False if it cannot be parsed."""
    try:
        tree = ast.parse(text)
        return _Checked(tree).is_harmless()
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False


class _Checked:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._modules: dict[str, frozenset[str]] = {}

    def is_harmless(self) -> bool:
        if not all(map(self._is_outer, self._tree.body)):
            return False
        nodes = list(ast.walk(self._tree))
        before_dots = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        return all(map(self._is_allowed, nodes)) and all(
            # A module may only be used before a dot; `_is_member` checks the name after it.
            node.id not in self._modules or id(node) in before_dots
            for node in nodes
            if isinstance(node, ast.Name)
        )

    def _is_outer(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            names = all(isinstance(target, ast.Name) for target in node.targets)
            return names and _is_constant(node.value)
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import):
            return all(self._imports(alias) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            member_names = _members(node.module or "") if not node.level else frozenset()
            return all(alias.name in member_names for alias in node.names)
        return isinstance(node, ast.FunctionDef)

    def _imports(self, import_alias: ast.alias) -> bool:
        self._modules[import_alias.asname or import_alias.name] = _members(import_alias.name)
        return import_alias.name in MODULES

    def _is_allowed(self, node: ast.AST) -> bool:
        if not isinstance(node, _NODES):
            return False
        if isinstance(node, ast.Import | ast.ImportFrom):
            return node in self._tree.body
        if isinstance(node, ast.FunctionDef):
            return not node.decorator_list
        if isinstance(node, ast.arguments):
            return all(
                _is_constant(default) for default in [*node.defaults, *node.kw_defaults] if default
            )
        if isinstance(node, ast.Attribute):
            return self._is_member(node)
        return not isinstance(node, ast.Name) or _is_harmless_name(node.id)

    def _is_member(self, node: ast.Attribute) -> bool:
        if not isinstance(node.ctx, ast.Load) or node.attr.startswith(_FRAMES):
            return False
        base = node.value
        if isinstance(base, ast.Name) and base.id in self._modules:
            return node.attr in self._modules[base.id]
        return True


def _members(module: str) -> frozenset[str]:
    if module not in MODULES:
        return frozenset()
    imported_module = importlib.import_module(module)
    names = getattr(imported_module, "__all__", None) or dir(imported_module)
    members = {
        name: getattr(imported_module, name, imported_module)
        for name in names
        if not name.startswith("_")
    }
    offered = {name for name, member in members.items() if not isinstance(member, ModuleType)}
    return frozenset(offered - _REACHING)


def _is_harmless_name(name: str) -> bool:
    return name in _BUILTINS or not (hasattr(builtins, name) or name.startswith("__"))


def _is_constant(node: ast.expr) -> bool:
    # The source alone has the value, and the source is loaded anew for every prediction.
    if isinstance(node, ast.UnaryOp):
        return _is_constant(node.operand)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return all(map(_is_constant, node.elts))
    if isinstance(node, ast.Dict):
        return all(
            child is not None and _is_constant(child) for child in [*node.keys, *node.values]
        )
    return isinstance(node, ast.Constant)
