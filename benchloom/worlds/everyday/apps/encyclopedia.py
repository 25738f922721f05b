"""The app of an encyclopedia, whose tools look up articles, which mention each other."""

from typing import Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import Id, Query
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import State
from benchloom.worlds.tool import App, read_tool, tools_of

Topic: TypeAlias = Literal["events", "nature", "people", "places"]
ARTICLES = (
    ("Brisk", "places", "Brisk is the oldest town of the coast; its ferries run since 1802."),
    ("Lomm", "places", "Lomm lies on the river Ale and has 41,000 people and seven bridges."),
    ("Osterby", "places", "Osterby is known for its tiles, which cover roofs as far as Skerry."),
    ("Port Selda", "places", "Port Selda is the largest harbour; 9 of 10 ships call there."),
    ("Skerry", "places", "Skerry stands on an island; a tunnel of 4 km leads there since 1974."),
    ("Ale", "nature", "The Ale is a river of 212 km, which rises in the Grove Hills near Osterby."),
    ("Grove Hills", "nature", "The Grove Hills are up to 861 m high and full of beeches."),
    ("Sea holly", "nature", "Sea holly grows on dunes near Skerry and blooms in July."),
    ("Iva Brandt", "people", "Iva Brandt (1850-1921) built the seven bridges of Lomm."),
    ("Oskar Hale", "people", "Oskar Hale (1902-1988) wrote novels that play in Port Selda."),
    ("Tove Ilves", "people", "Tove Ilves (born 1949) found how sea holly keeps its water."),
    ("Lantern Fair", "events", "The Lantern Fair is held in Brisk in the first week of November."),
    ("Ferry strike", "events", "The ferry strike of 1926 lasted 61 days and began in Brisk."),
    ("Tunnel opening", "events", "The tunnel to Skerry was opened on 3 May 1974."),
)
_SCHEMA = """
CREATE TABLE articles (
    article_id TEXT PRIMARY KEY,
    title TEXT NOT NULL UNIQUE,
    topic TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
"""


class ArticleHead(msgspec.Struct, frozen=True):
    """An article without its text."""

    article_id: str
    title: str
    topic: Topic


class Article(ArticleHead, frozen=True):
    """An article with its text."""

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
    """Find the articles that an article mentions, by title."""
    article = _ARTICLES.get(state, article_id)
    return [
        article_head
        for article_head in _HEADS.search(state)
        if article_head.article_id != article_id and article_head.title in article.text
    ]


@read_tool()
def search_naming_articles(state: State, *, article_id: Id) -> list[ArticleHead]:
    """Find the articles that mention an article, by title."""
    title = _ARTICLES.get(state, article_id).title
    return _HEADS.search(state, where={"instr(text, ?)": title, "article_id <> ?": article_id})


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
