"""Fixtures that several folders of tests share."""

from tests.replica_crawls import captures_copy, whole_crawl

__all__ = ["captures_copy", "whole_crawl"]
