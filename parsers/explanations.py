"""Explain the reasons why a file, or a part of it, is not a shortcut, definition or dialogue."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "all_dropped": Explanation("None of the calls of the dialogue could be used in a plan."),
    "bad_acts": Explanation("The file of dialogue acts is damaged.", "Copy MultiWOZ again."),
    "bad_blob": Explanation(
        "A value in the ToolKit database is damaged.", "Copy the database again."
    ),
    "bad_database": Explanation(
        "The file is not an SQLite database, or is damaged.",
        "Copy it again while no program writes to it.",
    ),
    "bad_dialogue": Explanation(
        "A state or turn of the dialogue does not have the expected fields."
    ),
    "bad_entry": Explanation(
        "An entry of a definition file does not have the fields of its format."
    ),
    "bad_json": Explanation("The file is damaged JSON.", "Export or download it again."),
    "bad_property_list": Explanation(
        "The property list is damaged.", "Export or download the file again."
    ),
    "bad_relation": Explanation("A condition does not state the parameter to which it applies."),
    "bad_schema": Explanation("The schema of the dialogues is damaged or contradicts itself."),
    "bad_signed_container": Explanation(
        "The signed shortcut is damaged.", "Share or export the shortcut again."
    ),
    "bad_strings": Explanation("The catalogue of texts is damaged."),
    "bad_text": Explanation("A text contains an incomplete character or invalid bytes."),
    "call_before_user": Explanation("A service is called before the user has said anything."),
    "call_by_user": Explanation("A service is called inside a turn of the user."),
    "cyclic": Explanation("A value contains itself."),
    "empty_file": Explanation("The file has no bytes.", "Export or download it again."),
    "empty_values": Explanation("A dialogue contains an act on a slot without a value."),
    "encrypted": Explanation(
        "The shortcut is encrypted for other people.", "Export it without encryption, for anyone."
    ),
    "entities": Explanation("The XML declares entities, which could grow without bound."),
    "html_page": Explanation(
        "The file is a web page, such as a sign-in or error page.", "Download the file itself."
    ),
    "icloud_record": Explanation(
        "The file is iCloud's record about a shortcut.",
        "Download the file at the record's downloadURL.",
    ),
    "misaligned_variant": Explanation(
        "The schema of a variant does not match the original schema."
    ),
    "missing_schema": Explanation(
        "No schema declares the service of a dialogue.", "Put schema.json beside the dialogues."
    ),
    "multiwoz_other_version": Explanation(
        "The dialogues are of another version of MultiWOZ.", "Use MultiWOZ 2.2."
    ),
    "no_calls": Explanation(
        "There is no call: the dialogue uses no service, or the run has no effect."
    ),
    "not_a_definition": Explanation("The file has none of the formats of API definitions."),
    "not_a_shortcut": Explanation("The file has no list of actions."),
    "not_dialogues": Explanation("The file contains no dialogues."),
    "openstep_property_list": Explanation(
        "The file is an old property list.", "Convert it with 'plutil -convert xml1 FILE'."
    ),
    "readers_disagree": Explanation("Two readers of property lists read different values."),
    "symlink_stub": Explanation(
        "The file contains only the path of another file.", "Copy that file instead."
    ),
    "too_deep": Explanation("Values are nested deeper than the limit, which no real file reaches."),
    "too_large": Explanation("The file is larger than the limit."),
    "too_many_members": Explanation("There are more entries than a real file has."),
    "too_many_nodes": Explanation("There are more values than a real file has."),
    "truncated": Explanation("The file ends too early.", "Export or download it again."),
    "unknown_format": Explanation(
        "The file is neither a property list, nor JSON, nor a signed shortcut."
    ),
    "unknown_intent": Explanation("A dialogue calls a method that its schema does not declare."),
    "unknown_value": Explanation(
        "The property list has a value of a kind that shortcuts never have."
    ),
    "unnamed": Explanation("A definition has no name."),
    "nested_archive": Explanation(
        "The file is an archive inside an archive.", "Unpack the outer one."
    ),
    "gzip": Explanation("The file is packed with gzip.", "Unpack it first."),
    "bzip2": Explanation("The file is packed with bzip2.", "Unpack it first."),
    "xz": Explanation("The file is packed with xz.", "Unpack it first."),
    "seven_zip": Explanation("The file is a 7-Zip archive.", "Unpack it first."),
    "sqlite_database": Explanation(
        "The file is a database.", "Read it with 'benchloom parse definitions'."
    ),
    "pdf": Explanation("The file is a PDF document."),
    "image": Explanation("The file is a picture."),
    "parquet": Explanation("The file is a Parquet table."),
}
