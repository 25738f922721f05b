"""The theme with a boilerplate tail after every description."""

from demo.replica.theme_pages import Theme

HOSTS = ("jiejingku.net",)
answer = Theme("jiejingku", tail="关于快捷指令的隐私权限和安全, 请看本站说明。").answer
