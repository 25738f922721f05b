"""The theme with the author where others show the category, and a Crawl-delay."""

from demo.replica.theme_pages import Theme

HOSTS = ("www.kejicut.com",)
answer = Theme("kejicut", crawl_delay=0.2).answer
