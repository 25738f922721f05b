"""Fixtures that several folders of tests share."""

from tests.demo_release import demo_release
from tests.replica_crawls import captures_copy, whole_crawl

__all__ = ["captures_copy", "demo_release", "whole_crawl"]
