"""The end of a rebuild in some lines: what is in the release, what is not and why, what it cost.

`reading` finds the facts in the release's own files, `lines` tells them; between them are records.
"""
