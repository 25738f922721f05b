"""Property lists, binary and XML, read within bounds."""

from parsers.property_lists.reading import (
    is_binary,
    read_binary,
    read_binary_strictly,
    read_xml,
    xml_start,
)

__all__ = ["is_binary", "read_binary", "read_binary_strictly", "read_xml", "xml_start"]
