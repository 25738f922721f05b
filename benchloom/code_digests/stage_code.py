"""The key of a stage: its inputs, and whatever of ours and of others decides its rows.

No number has to be raised by hand: a stage whose code, tables, data files or deciding packages
changed has another key, so that an unfinished run starts afresh and a finished one is made again.
See docs/decisions/0125-stage-keys.md.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import msgspec

from benchloom.code_digests.closure import Closure, Code
from benchloom.code_digests.packages import PACKAGES, package_folder
from benchloom.code_digests.remembered import UsedCode, used_code
from benchloom.identity import digest_of_parts
from benchloom.tables import load_table

MACHINERY = (
    "benchloom.code_digests",
    "benchloom.errors",
    "benchloom.extras",
    "benchloom.kinds",
    "benchloom.normalise.redaction.searched",
    "benchloom.sealing",
    "benchloom.workspace",
    "flows.stages.engines",
    "flows.stages.progress",
    "flows.stages.reuse",
    "flows.stages.searches",
    "flows.stages.sharded",
    "flows.stages.processes.workers",
)
"""Code of ours that decides where, when and by whom rows are made, and never which."""

DECIDING = {
    "biplist": "biplist",
    "bm25s": "bm25s",
    "bpe_openai": "bpe-openai",
    "detect_secrets": "detect-secrets",
    "lzfse": "lzfse",
    "numpy": "numpy",
    "phonenumbers": "phonenumberslite",
    "py3langid": "py3langid",
    "rensa": "rensa",
    "selectolax": "selectolax",
    "sentencex": "sentencex",
    "snowballstemmer": "snowballstemmer",
    "stdnum": "python-stdnum",
    "warcio": "warcio",
    "webencodings": "webencodings",
    "wordllama": "wordllama",
}
"""Foreign modules whose behaviour decides rows, with the names of their distributions."""


class StageCode(msgspec.Struct, frozen=True, kw_only=True):
    """What decides the rows of a stage besides its inputs and options.

    `module` is that of the stage (`__name__`) and `work` its functions that everything is reached
    from, `tables` are those it writes. `also` names further roots, as `module` or `module:name`;
    `without` names what is reached and decides no row.
    """

    stage: str
    module: str
    tables: tuple[str, ...]
    work: tuple[str, ...] = ("prepare",)
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def key(self, parts: Iterable[str], given: Sequence[Callable[..., object]] = ()) -> str:
        """The key of a run over inputs and options told by `parts`.

        `given` are functions of ours that a caller hands to the stage; they are part of its code.

        Raises:
            RunError: a source of ours is missing or cannot be read.
        """
        found = self._used(given)
        used = sorted({name.split(".")[0] for name in found.foreign} & DECIDING.keys())
        told = [f"{DECIDING[name]} {installed_version(DECIDING[name])}" for name in used]
        told += [f"{one.__module__}:{one.__qualname__}" for one in given]
        return digest_of_parts("stage", [self.stage, self._digest(found), *told, *parts])

    def digest(self, given: Sequence[Callable[..., object]] = ()) -> str:
        """The digest of code, tables and data files: the same for every installation of ours."""
        return self._digest(self._used(given))

    def _digest(self, found: UsedCode) -> str:
        schemas = [_schema(table) for table in sorted(self.tables)]
        return digest_of_parts("stage_code", [found.digest, *schemas])

    def _used(self, given: Sequence[Callable[..., object]]) -> UsedCode:
        roots, without = self._roots(given)

        def follow() -> UsedCode:
            found = own_code().closure(roots, without)
            return UsedCode(found.digest(), tuple(sorted(found.foreign)))

        return used_code(roots, without, follow)

    def closure(self, given: Sequence[Callable[..., object]] = ()) -> Closure:
        """The definitions that decide the rows."""
        return own_code().closure(*self._roots(given))

    def _roots(
        self, given: Sequence[Callable[..., object]]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Where the walk begins and where it ends."""
        roots = (*(f"{self.module}:{name}" for name in self.work), *self.also)
        functions = (
            f"{one.__module__}:{one.__qualname__}"
            for one in given
            if one.__module__.split(".")[0] in PACKAGES
        )
        return (*roots, *functions), (*MACHINERY, *self.without)


@cache
def own_code() -> Code:
    """The code of our packages, wherever they are installed."""
    return Code({name: package_folder(name) for name in PACKAGES})


def _schema(table: str) -> str:
    """What of a table's definition decides how its rows are written."""
    told = msgspec.to_builtins(load_table(table))
    for name in ("description", "licence", "references"):
        del told[name]
    for column in told["columns"]:
        _drop_descriptions(column)
    return msgspec.json.encode(told, order="deterministic").decode()


def _drop_descriptions(column: dict[str, object]) -> None:
    del column["description"]
    for field in column["fields"]:  # type: ignore[attr-defined]  # built of the same record
        _drop_descriptions(field)


@cache
def installed_version(distribution: str) -> str:
    """The version of a distribution, "none" where it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:  # an extra that is not installed
        return "none"
