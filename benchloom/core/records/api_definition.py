"""Records of API definitions (what an API does, takes and returns), and checks against them.

Two conventions hold for every value in these records. The `default` of a parameter and the `values`
of a condition are JSON texts, so `false`, `0` and `""` are real values and null means "no value".
An enum value is the plain identifier that an argument contains.
"""

import re

import msgspec

from benchloom.core.identity import tagged_digest


class EnumValue(msgspec.Struct, frozen=True, gc=False):
    """A value of an enumeration: its identifier in arguments, and its label for people."""

    value: str
    title: str | None = None


class Dependency(msgspec.Struct, frozen=True, gc=False):
    """A condition on another parameter of the same API. If it fails, the parameter is not used.

    `relation` is ==, !=, >, >=, <, <=, contains, does_not_contain, has_value, has_no_value or, for
    any other relation, the word that the source uses. `values` are JSON texts; the condition holds
    if it holds for any of them (for !=, if the parameter has none of them). A `parameter` that
    starts with @ is not a parameter but a property of the environment in which the API runs:
    @device.idiom, @device.system_version, @workflow_type, @environment, @resource.
    """

    parameter: str
    relation: str
    values: tuple[str, ...] = ()


class Parameter(msgspec.Struct, frozen=True, gc=False):
    """A declared parameter of an API.

    `type_kind` is primitive, enum, object, file, measurement, entity or array. With `multiple`,
    `type_kind` is the kind of one element, and array is only used for lists of lists and for a
    list whose elements the source does not describe. `optional` is false if the source requires
    a value, null if the source does not say. The parameter is used only if all conditions in
    `depends_on` hold. `minimum` and `maximum` are in `unit` if there is one; `count_minimum`
    and `count_maximum` bound the number of values of the parameter.
    """

    name: str
    type: str
    type_kind: str
    title: str | None = None
    description: str | None = None
    multiple: bool = False
    optional: bool | None = None
    default: str | None = None
    enum_values: tuple[EnumValue, ...] = ()
    depends_on: tuple[Dependency, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None
    file_types: tuple[str, ...] = ()
    count_minimum: int | None = None
    count_maximum: int | None = None
    hidden: bool = False


class Return(msgspec.Struct, frozen=True, gc=False):
    """A value that an API returns. Alternative types of one value are joined by " | " in `type`."""

    name: str | None
    type: str
    type_kind: str
    multiple: bool = False
    description: str | None = None


PLACEHOLDER = re.compile(r"\$\{([^}$]*)\}")
"""Matches a parameter in the template of a summary: `${name}`."""


class Summary(msgspec.Struct, frozen=True, gc=False):
    """A template that words a call in natural language. `${parameter}` stands for a value.

    The template fits a call if `conditions` hold and the call supplies all `parameters`, which
    include parameters that the template does not show.
    """

    template: str
    parameters: tuple[str, ...] = ()
    conditions: tuple[Dependency, ...] = ()


class Availability(msgspec.Struct, frozen=True, gc=False):
    """A requirement on the system, device or environment in which an API runs.

    `kind` is platform, capability, feature_flag, device_state, resource, environment or
    unsupported_environment. Versions are texts as the source has them.
    """

    kind: str
    name: str
    introduced: str | None = None
    deprecated: str | None = None
    obsoleted: str | None = None


class Note(msgspec.Struct, frozen=True, gc=False):
    """An additional text about an API.

    `kind` is result, input, input_types, note, attribution, requires, deprecation, response (a
    value in the app's response that is not the API's output), phrase (words with which a user
    requests the API), run_time_default (a parameter whose default is determined when it runs), or
    model_<text> for a text written for language models.
    """

    kind: str
    text: str


class DefinitionSource(msgspec.Struct, frozen=True, gc=False):
    """A file that declares an API.

    `part` is the part of the app bundle that contains the file: main, framework, plugin, widget,
    watch, or loose for a file outside any bundle. `locale` is the language of a localised copy.
    """

    source_kind: str
    source_uri: str
    source_digest: str
    app_version: str | None = None
    part: str = "loose"
    locale: str | None = None


class FieldOrigin(msgspec.Struct, frozen=True, gc=False):
    """A field of an API definition that was filled from an additional source, and this source."""

    field: str
    source_kind: str
    source_uri: str


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """A value that the parser does not understand: its path in the file, and its beginning."""

    path: str
    value: str


class ApiDefinition(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of the table `api_definitions`: the definition of one API.

    `definition_id` is the digest of all fields except the sources and oddities (see `sealed`).
    `api` is the name an action or step uses. `app` is null (and `api` has no prefix) if no source
    says which app the file belongs to. `source_kind` is toolkit, wfactions, sirikit, appintents,
    the dataset of dialogues (as sgd), or benchloom for definitions written by this project.
    `sources` lists every file that declares the API; the first is the file whose definition was
    kept.
    """

    definition_id: str
    api: str
    app: str | None
    source_kind: str
    title: str | None = None
    description: str | None = None
    parameters: tuple[Parameter, ...] = ()
    returns: tuple[Return, ...] = ()
    summaries: tuple[Summary, ...] = ()
    availability: tuple[Availability, ...] = ()
    deprecated: bool = False
    replaced_by: str | None = None
    discoverable: bool = True
    category: str | None = None
    keywords: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    source_uri: str
    source_digest: str
    app_version: str | None = None
    sources: tuple[DefinitionSource, ...] = ()
    origins: tuple[FieldOrigin, ...] = ()
    oddities: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()


_SOURCES = frozenset(
    {
        "definition_id",
        "source_uri",
        "source_digest",
        "app_version",
        "sources",
        "origins",
        "oddities",
    }
)
"""Fields that say where a definition was found. They are not part of its id."""
_ENCODER = msgspec.json.Encoder(order="deterministic")


def content_id(definition: ApiDefinition) -> str:
    """Return the id of an API definition: a digest of all fields except those about its sources."""
    content = {
        name: getattr(definition, name)
        for name in definition.__struct_fields__
        if name not in _SOURCES
    }
    return tagged_digest("api", _ENCODER.encode(content))


def sealed(definition: ApiDefinition) -> ApiDefinition:
    """Return a copy of an API definition with its `definition_id`, computed from its content."""
    return msgspec.structs.replace(definition, definition_id=content_id(definition))


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """A row of the table `conflicts`: a field in which two definitions of the same API differ.

    `field` is a field name, or `parameters.<name>` and `parameters.<name>.<field>`. `kept` and
    `lost` are the values in the definition that was kept and in the one that was dropped, as JSON
    texts, or null if that definition has no such parameter. `source` is the location of the dropped
    definition, and `kept_source` that of the kept one.
    """

    api: str
    field: str
    kept: str | None
    lost: str | None
    source: str
    source_kind: str
    kept_source: str
    kept_source_kind: str
    lost_definition_id: str


class App(msgspec.Struct, frozen=True, gc=False):
    """A row of the table `apps`: an app, and how shortcuts use it.

    `actions_seen` counts the actions in shortcuts that call the app, and `shortcuts` counts the
    shortcuts that use it. `apis_seen` counts its distinct APIs that shortcuts use, and
    `apis_missing` counts those among them that have no definition. `unlocks` counts the shortcuts
    in which this is the only app with missing definitions. `paid`, `legacy` and `unavailable` are
    marks that the operator sets; they are null if not set.
    """

    app: str
    actions_seen: int
    shortcuts: int
    has_definitions: bool
    apis_seen: int
    apis_missing: int
    unlocks: int
    store_link: str | None = None
    paid: bool | None = None
    legacy: bool | None = None
    unavailable: bool | None = None
    note: str | None = None


class ActionDefinition(msgspec.Struct, frozen=True, gc=False):
    """The definition of one action of a shortcut, or the reason why the action has none.

    `reason` is no_identifier, unknown_app (no definition of this app is known) or unknown_api.
    """

    index: int
    api: str
    definition_id: str | None
    reason: str | None = None


class Finding(msgspec.Struct, frozen=True, gc=False):
    """A reason why a shortcut cannot run unchanged with the definitions of its actions.

    `action_index` is null if the reason applies to the whole shortcut. `reason` is unknown_action,
    missing_parameter, unresolved_reference, unresolved_variable or unbalanced_control_flow.
    """

    action_index: int | None
    reason: str
    detail: str


class DefinitionCheck(msgspec.Struct, frozen=True, gc=False):
    """A row of the table `definition_checks`: the check of a shortcut against API definitions.

    The first three fields identify the shortcut. `exclusions` are the reasons why the shortcut is
    left out of the evaluation split (its row is never deleted), and `findings` are the reasons why
    it is not statically valid.
    """

    shortcut_id: str
    source_digest: str
    source_uri: str
    in_evaluation: bool
    exclusions: tuple[str, ...]
    is_valid: bool
    findings: tuple[Finding, ...]
    actions: tuple[ActionDefinition, ...]
