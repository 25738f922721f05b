"""Encyclopedia: articles that name each other; they are looked up and never changed."""

from typing import Literal, TypeAlias

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.arguments import Id, Query
from benchloom.worlds.suites.everyday.starts.lookups import ARTICLES
from benchloom.worlds.suites.everyday.tables import Table
from benchloom.worlds.tool import App, read_tool, tools_of

Topic: TypeAlias = Literal["events", "nature", "people", "places"]
_SCHEMA = """
CREATE TABLE articles (
    article_id TEXT PRIMARY KEY,
    title TEXT NOT NULL UNIQUE,
    topic TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
"""


class ArticleHead(msgspec.Struct, frozen=True):
    """An article, without its text."""

    article_id: str
    title: str
    topic: Topic


class Article(msgspec.Struct, frozen=True):
    """One article."""

    article_id: str
    title: str
    topic: Topic
    text: str


_ARTICLES = Table("articles", Article, id_of=("title",))
_HEADS = Table("articles", ArticleHead, order="title", searched=("title", "text"))


@read_tool(query="a part of the title or the text.", topic="only articles of this topic.")
def search_articles(
    state: State, *, query: Query = "", topic: Topic | None = None
) -> list[ArticleHead]:
    """Find articles, by title."""
    return _HEADS.search(state, query, topic=topic)


get_article = _ARTICLES.get_tool("encyclopedia.get_article", "Read one article.")


@read_tool()
def search_linked_articles(state: State, *, article_id: Id) -> list[ArticleHead]:
    """Find the articles that an article names, by title."""
    article = _ARTICLES.get(state, article_id)
    return [
        article_head
        for article_head in search_articles(state)
        if article_head.article_id != article_id and article_head.title in article.text
    ]


@read_tool()
def search_naming_articles(state: State, *, article_id: Id) -> list[ArticleHead]:
    """Find the articles that name an article, by title."""
    article = _ARTICLES.get(state, article_id)
    return [
        article_head
        for article_head in search_articles(state, query=article.title)
        if article_head.article_id != article_id
        and article.title in _ARTICLES.get(state, article_head.article_id).text
    ]


def _fill(state: State) -> None:
    for title, topic, text in ARTICLES:
        _ARTICLES.add(state, title=title, topic=topic, text=text)


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("encyclopedia", globals()),
    frozen=("articles",),
    goals={
        "get_article": "find out what an article of the encyclopedia says",
        "search_linked_articles": "find out which article another one leads to",
        "search_naming_articles": "find out which article mentions another one",
    },
)
