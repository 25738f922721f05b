"""The core below every stage: records, identity, workspace, tables, normalise and release."""

__version__ = "0.1.0"
