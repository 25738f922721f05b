"""The kinds of targets to which releases can be published. Each module is one kind.

The modules are discovered by `benchloom.release.publication.target`.
"""
