"""Property lists, binary and XML, read within bounds."""

from parsers.property_lists.reading import (
    is_binary,
    read_binary,
    read_xml,
    repeated_keys,
    xml_start,
)

__all__ = ["is_binary", "read_binary", "read_xml", "repeated_keys", "xml_start"]
