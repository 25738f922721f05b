"""The theme with the author where others show the category."""

from demo.replica.theme_pages import Theme

HOSTS = ("www.rcuts.com",)
answer = Theme("rcuts").answer
