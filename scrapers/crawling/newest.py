"""Which answer of an address is its newest, over all captures of sites, in columns of numbers."""

from collections.abc import Iterable
from enum import IntEnum
from hashlib import blake2b

import msgspec
import numpy as np
import numpy.typing as npt

from scrapers.crawling.read_parts import ReadCaptures
from scrapers.sites import SITES

_BYTES = 16
_PAIR = 2


class Standing(IntEnum):
    """What an answer is among all of its address; captures that are no page of a site are none."""

    NONE = 0
    NEWEST = 1
    EARLIER = 2


class _Seen(msgspec.Struct, frozen=True, gc=False):
    site: str
    kind: str
    url: str
    capture_id: str
    refers_to: str | None


class _Columns(msgspec.Struct):
    """Of each page of a site: its number, what tells its address and answer, and its kind."""

    numbers: list[npt.NDArray[np.int64]] = []
    urls: list[bytes] = []
    answers: list[bytes] = []
    rendered: list[npt.NDArray[np.bool_]] = []
    revisits: list[npt.NDArray[np.bool_]] = []


def standings(read: ReadCaptures) -> npt.NDArray[np.int8]:
    """The standing of every capture, by its number.

    A revisit makes the answer that it confirmed, the last one before it, the newest again.
    """
    names = frozenset(SITES.names())
    columns = _Columns()
    count = 0
    for batch in read.batches(_Seen.__struct_fields__):
        count = batch.start + batch.rows.num_rows
        _add(columns, batch.start, batch.records(_Seen), names)
    found = np.zeros(count, np.int8)
    if columns.numbers:
        _judge(columns, found)
    return found


def _add(columns: _Columns, start: int, seen: list[_Seen], names: frozenset[str]) -> None:
    pages = [
        (number, one)
        for number, one in enumerate(seen, start)
        if one.kind != "fault" and one.site in names
    ]
    if pages:
        columns.numbers.append(np.array([number for number, _ in pages], np.int64))
        columns.urls.append(_digests(one.url for _, one in pages))
        columns.answers.append(_digests(_answer(one) for _, one in pages))
        columns.rendered.append(np.array([one.kind == "rendered" for _, one in pages]))
        columns.revisits.append(np.array([one.kind == "revisit" for _, one in pages]))


def _answer(one: _Seen) -> str:
    """The answer that a capture holds or confirms."""
    return (one.refers_to or "") if one.kind == "revisit" else one.capture_id


def _digests(texts: Iterable[str]) -> bytes:
    """Sixteen bytes for each: two of the same are the same text."""
    return b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
        for text in texts
    )


def _judge(columns: _Columns, found: npt.NDArray[np.int8]) -> None:
    numbers = np.concatenate(columns.numbers)
    revisits = np.concatenate(columns.revisits)
    found[numbers[~revisits]] = Standing.EARLIER
    # Behind each answer, in the order of captures, the revisits that confirm it.
    order = _order(columns.answers)
    keys = _halves(columns.answers)[order]
    places = np.maximum.accumulate(np.where(revisits[order], -1, np.arange(len(order))))
    # A revisit without an answer before it stands behind those of another one.
    is_known = (places >= 0) & (keys[places] == keys).all(axis=1)
    shown = np.full(len(order), -1, np.int64)
    shown[order] = np.where(is_known, order[places], -1)
    del order, keys, places
    told = np.flatnonzero(shown >= 0)
    rendered = np.concatenate(columns.rendered)[shown[told]]
    urls = _halves(columns.urls)[told]
    order = np.lexsort((told, rendered, urls[:, 1], urls[:, 0]))
    urls, rendered = urls[order], rendered[order]
    is_last = np.ones(len(order), np.bool_)
    is_last[:-1] = (urls[1:] != urls[:-1]).any(axis=1) | (rendered[1:] != rendered[:-1])
    found[numbers[shown[told[order[is_last]]]]] = Standing.NEWEST


def _halves(digests: Iterable[bytes]) -> npt.NDArray[np.uint64]:
    return np.frombuffer(b"".join(digests), np.uint64).reshape(-1, _PAIR)


def _order(digests: Iterable[bytes]) -> npt.NDArray[np.int64]:
    """The places of digests, equal ones together in the order they came."""
    halves = _halves(digests)
    return np.lexsort((halves[:, 1], halves[:, 0]))
