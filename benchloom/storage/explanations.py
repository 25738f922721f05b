"""Explain, for each reason why a file of the input was not read, what it means and what helps."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "bad_archive": Explanation(
        "The archive is damaged, or the file is no archive.", "Download or pack it again."
    ),
    "bad_database": Explanation(
        "SQLite cannot read the database.", "Copy it again while no program writes to it."
    ),
    "bad_encoding": Explanation("A body in the web archive cannot be decompressed."),
    "bad_member": Explanation("A file in the archive is damaged.", "Pack the archive again."),
    "bad_web_archive": Explanation(
        "A part of the web archive is damaged.", "Records before and after it are read."
    ),
    "encrypted": Explanation(
        "The file in the archive is encrypted.", "Unpack it with its password first."
    ),
    "inflates_too_much": Explanation(
        "The unpacked file would be far too large.",
        "Unpack it yourself if you trust it.",
    ),
    "link_outside": Explanation(
        "The link leads out of the input folder.", "Pass its target as an input."
    ),
    "link_to_folder": Explanation("The link leads to a folder, which is read at its own path."),
    "nested_too_deep": Explanation("Archives are nested too deeply.", "Unpack the outer archives."),
    "not_a_file": Explanation("The path is a device, a pipe or a broken link."),
    "path_escape": Explanation("The path of the file leads out of the archive."),
    "system_file": Explanation("An operating system created the file; it has no content of yours."),
    "too_many_members": Explanation(
        "The input has more files or entries than the limit.", "Split the input."
    ),
    "truncated": Explanation("The content ends too early.", "Download it again."),
    "unreadable": Explanation("The file could not be opened.", "Check its permissions."),
    "unsupported_compression": Explanation(
        "The archive uses a compression that Python cannot read.", "Pack it again with deflate."
    ),
}
