"""Reasons why a file of the input is not read."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "bad_archive": Explanation(
        "The archive is damaged, or no archive.", "Download or pack it again."
    ),
    "bad_database": Explanation(
        "SQLite cannot read the database.", "Copy it again, while nothing writes in it."
    ),
    "bad_encoding": Explanation(
        "The body in a web archive has a compression that cannot be undone."
    ),
    "bad_member": Explanation("A file in the archive is damaged.", "Pack the archive again."),
    "bad_web_archive": Explanation(
        "A stretch of the web archive is not a record.", "Records before and after it are read."
    ),
    "encrypted": Explanation(
        "The file in the archive is encrypted.", "Unpack it with its password first."
    ),
    "inflates_too_much": Explanation(
        "The file in the archive would grow beyond all reason when unpacked.",
        "Unpack it yourself if you trust it.",
    ),
    "link_outside": Explanation(
        "The link leads out of the input folder.", "Name its target as an input."
    ),
    "link_to_folder": Explanation("The link leads to a folder, which is read where it is."),
    "nested_too_deep": Explanation(
        "Archives are inside archives inside archives.", "Unpack the outer ones."
    ),
    "not_a_file": Explanation("It is a device, a pipe or a broken link."),
    "path_escape": Explanation("The path of the file in the archive leaves the archive."),
    "system_file": Explanation(
        "An operating system left the file behind; it has no content of yours."
    ),
    "too_many_members": Explanation(
        "There are more files or entries than are read.", "Split the input."
    ),
    "truncated": Explanation("The content ends too early.", "Download it again."),
    "unreadable": Explanation("The file could not be opened.", "Look at its permissions."),
    "unsupported_compression": Explanation(
        "The archive uses a compression that Python does not know.", "Pack it again with deflate."
    ),
}
