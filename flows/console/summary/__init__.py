"""The summary at the end of a rebuild: the release's content, omissions with reasons, and cost.

`reading` collects the facts from the release's own files, `lines` formats them; records connect
the two.
"""
