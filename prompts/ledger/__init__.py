"""This package stores every request, reply and cost on disk, and enforces the spend limit."""
