"""Fuzz HTML pages of all sites, each with the adapter of its site."""

from collections.abc import Sequence
from random import Random
from typing import cast

from benchloom.core.records import Listing
from tests.fuzz import Target
from tests.fuzz.pages import mutate_body, page_body, page_seeds, rows_of_page
from tests.fuzz.rows import store_rows

_WORDS = (
    b"<div></x>", b"<div/>", b"<a><div>", b"<b id=1>", b"<table><td>", b"<svg><td>", b"<!--",
    b"-->",
    b"<script>", b"<template>", b"<select>", b"</p>", b"<p>", b'="', b"&#0;", b"<![CDATA[",
    b"<plaintext>",
    b'<a href="https://www.icloud.com/shortcuts/', b'href="//[', b"\x00",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Return the HTML pages of the replica, without the property lists that pages link to."""
    return [page for page in page_seeds(markup=True) if accepts(page)]


def accepts(data: bytes) -> bool:
    """Return whether a file is an HTML page, with or without the three lines of a seed."""
    return page_body(data)[:512].lstrip().lower().startswith((b"<!doctype html", b"<html"))


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a page with a damaged body."""
    return mutate_body(chance, [f for f in files if f.count(b"\n") > 2], _WORDS)


def read(data: bytes) -> int:
    """Return the number of listings in the page."""
    return store_rows("listings", cast("list[Listing]", rows_of_page(data)))


TARGET = Target("site-markup", seeds, read, mutate, _WORDS, accepts)
