"""HTML pages of all sites, each through its adapter and the columns of `listings`."""

from collections.abc import Sequence
from random import Random
from typing import cast

from benchloom.core.records import Listing
from tests.fuzz import Target
from tests.fuzz.pages import mutate_body, page_body, page_seeds, rows_of_page
from tests.fuzz.rows import stored

_WORDS = (
    b"<div></x>", b"<div/>", b"<a><div>", b"<b id=1>", b"<table><td>", b"<svg><td>", b"<!--",
    b"-->",
    b"<script>", b"<template>", b"<select>", b"</p>", b"<p>", b'="', b"&#0;", b"<![CDATA[",
    b"<plaintext>",
    b'<a href="https://www.icloud.com/shortcuts/', b'href="//[', b"\x00",
)  # fmt: skip


def seeds() -> list[bytes]:
    """The replica's own pages, without the property lists that pages lead to."""
    return [page for page in page_seeds(markup=True) if accepts(page)]


def accepts(data: bytes) -> bool:
    """Whether a file is a page, bare or after the three lines of a seed."""
    return page_body(data)[:512].lstrip().lower().startswith((b"<!doctype html", b"<html"))


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """A page with a damaged body."""
    return mutate_body(chance, [f for f in files if f.count(b"\n") > 2], _WORDS)


def read(data: bytes) -> int:
    """Every listing of the page."""
    return stored("listings", cast("list[Listing]", rows_of_page(data)))


TARGET = Target("site-markup", seeds, read, mutate, _WORDS, accepts)
