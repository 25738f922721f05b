"""Explain, for each reason why a row is merged, withheld or not selected, what it means.

Some explanations also say how a user can change this.
"""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

APPLE = "~/Library/Shortcuts/ToolKit/Tools-active"
"""The folder of a Mac that contains the definitions of Apple's apps and of all installed apps."""

_DEFINED = (
    f"Add files to [sources] definitions: Apple's are in {APPLE} of a Mac, and `benchloom apps` "
    "ranks the other apps by need."
)
_MARKED = "If this is wrong, correct apps.toml in the workspace."

EXPLANATIONS: Mapping[str, Explanation] = {
    "duplicate_actions": Explanation("Another file has the same actions and was published."),
    "duplicate_bytes": Explanation("Another file has the same bytes and was published."),
    "duplicate_renamed": Explanation(
        "Another file differs only in generated ids and was published."
    ),
    "duplicate_listing": Explanation("Another page shows the same entry; both became one row."),
    "member_only": Explanation(
        "The site shows the entry only to members.", "Set [crawl] include_member_only = true."
    ),
    "not_found": Explanation("The site says that the entry does not exist."),
    "nsfw": Explanation("The site hides the entry from people who are not signed in."),
    "opted_out": Explanation(
        "The owner does not want it in any dataset.", "The list [crawl] opt_out contains it."
    ),
    "removed": Explanation("The site removed the entry."),
    "withheld": Explanation(
        "The capture of the shortcut is withheld, so its content is not published."
    ),
    "unshared": Explanation("The shortcut is not shared on iCloud any more."),
    "empty": Explanation("The shortcut has no actions."),
    "too_long": Explanation("The shortcut has more actions than the limit for evaluation."),
    "runs_other_shortcut": Explanation(
        "The shortcut runs another shortcut, which the file does not contain."
    ),
    "no_definitions": Explanation("No API definitions are available.", _DEFINED),
    "missing_definition": Explanation("An action has no definition.", _DEFINED),
    "deprecated_api": Explanation("An action calls an API that is deprecated."),
    "non_discoverable_api": Explanation(
        "An action calls an API that people cannot find in the Shortcuts app."
    ),
    "paid_app": Explanation("An action calls an app that costs money.", _MARKED),
    "legacy_app": Explanation("An action calls an app that is no longer developed.", _MARKED),
    "unavailable_app": Explanation("An action calls an app that cannot be installed.", _MARKED),
    "unknown_api": Explanation("A step calls an API without a definition."),
    "undeclared_output": Explanation("A step uses an output that its API does not declare."),
    "repeated_argument": Explanation("A step has the same argument twice."),
    "unknown_argument": Explanation("A step has an argument that its API does not declare."),
    "missing_argument": Explanation("A step lacks an argument that its API requires."),
    "unreadable_value": Explanation("The value of an argument is not of the declared type."),
    "value_not_allowed": Explanation("The value of an argument is not one of the declared values."),
    "unreachable_step": Explanation("An argument refers to a step that does not come before it."),
    "failed_producer": Explanation("An argument refers to a step that failed."),
    "edges_differ": Explanation("The edges of the plan differ from its references."),
    "too_few_arguments": Explanation(
        "A step has fewer arguments than the selection requires.",
        "Lower minimum_arguments in the file of --rules.",
    ),
    "other_app": Explanation(
        "A step calls an app that is not selected.", "Add the app to apps in the file of --rules."
    ),
    "excluded_service": Explanation(
        "A step calls a service that the selection excludes.",
        "Change excluded_services in the file of --rules.",
    ),
    "outcome": Explanation(
        "A step has an outcome that the selection excludes.",
        "Change outcomes in the file of --rules.",
    ),
    "in_earlier_set": Explanation(
        "The plan is in an earlier set of the selection.",
        "Set disjoint to false in the file of --rules.",
    ),
    "repeated_plan": Explanation("Another dialogue has the same plan; both became one row."),
    "not_drawn": Explanation(
        "The set already has enough plans of the category.",
        "Raise per_category of the set in the file of --rules.",
    ),
    "cyclic": Explanation("The references of the plan form a cycle."),
}
