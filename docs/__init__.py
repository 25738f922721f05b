"""The site of documents: pages that people wrote, pages made from the code, and its build.

`python -m docs` builds it. What the code or a file already says is never written a second time:
every module of `docs.generated` makes one part of the site from it.
"""
