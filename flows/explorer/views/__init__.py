"""This package prepares rows for pages: it converts and shortens them, and links related rows."""
