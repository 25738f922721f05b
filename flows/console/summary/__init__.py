"""Summarise a finished rebuild: the release's content, omissions with reasons, and cost.

`release_facts` collects the facts from the release's own files, and `lines` formats them; records
connect the two modules.
"""
