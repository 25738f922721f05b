"""Define an invented world of two services, one to find boats and one to hire them."""

from pathlib import Path

from benchloom.core.records import (
    ApiDefinition,
    Dialogue,
    EnumValue,
    Parameter,
    PlanningPath,
    PlanSource,
    Return,
    Step,
    StepArgument,
    Utterance,
)
from benchloom.storage.tables import write_table

FIND, HIRE = "definition:find", "definition:hire"
SOURCE = PlanSource("7", "train/d.json", "train")


def parameter(name: str, about: str, *titles: tuple[str, str | None]) -> Parameter:
    return Parameter(
        name=name,
        title=None,
        description=about,
        type="string",
        type_kind="enum" if titles else "primitive",
        enum_values=tuple(EnumValue(value, title) for value, title in titles),
    )


def definition(definition_id: str, api: str, about: str, *parameters: Parameter) -> ApiDefinition:
    return ApiDefinition(
        api=f"Harbour_2.{api}",
        definition_id=definition_id,
        app="Harbour_2",
        source_kind="sgd",
        title=api,
        description=about,
        parameters=parameters,
        returns=(Return(name="boat_name", type="string", type_kind="primitive"),),
        source_uri="train/schema.json",
        source_digest="file:sha256:00",
    )


DEFINITIONS = (
    definition(
        FIND,
        "FindBoat",
        "Find a boat in a given harbour",
        parameter("harbour_city", "City where the boat lies"),
        parameter("has_sail", "Whether the boat has a sail"),
        parameter("with_crew", "Whether a crew comes along"),
        parameter("boat_kind", "Kind of boat", ("K1", "dinghy"), ("K2", "ketch")),
        parameter("colour", "Colour of the hull"),
    ),
    definition(
        HIRE,
        "HireBoat",
        "Hire a boat for a given date",
        parameter("boat_name", "Name of the boat"),
        parameter("start_date", "First day on the water"),
        parameter("number_of_guests", "How many people come aboard"),
        parameter("number_of_days", "Length of the hire"),
        parameter("insured", "Whether the hire is insured"),
        parameter("deposit", "What is paid before"),
    ),
)


def literal(name: str, value: str, provenance: str = "user") -> StepArgument:
    return StepArgument(name, "literal", value, provenance=provenance)


def step(index: int, api: str, *arguments: StepArgument, outcome: str = "ok") -> Step:
    return Step(
        index,
        "Harbour_2",
        api,
        arguments,
        ("boat_name",),
        outcome,  # type: ignore[arg-type]  # a text of the table
        FIND if api == "FindBoat" else HIRE,
    )


STEPS = (
    step(
        0,
        "FindBoat",
        literal("harbour_city", "Nordhafen"),
        literal("has_sail", "True"),
        literal("with_crew", "False"),
        literal("boat_kind", "K2"),
        literal("colour", "dontcare"),
    ),
    step(
        1,
        "HireBoat",
        StepArgument("boat_name", "reference", "Grey Gull", 0, "boat_name", "result"),
        literal("start_date", "2031-05-03"),
        literal("number_of_guests", "2"),
        literal("number_of_days", "2"),
        literal("insured", "True", "default"),
        literal("deposit", "Cash only", "system"),
    ),
)
UTTERANCES = ("A ketch with a sail in Nordhafen, no crew.", "The Grey Gull, two of us, two days.")


def plan(*steps: Step, dialogues: tuple[PlanSource, ...] = (SOURCE,)) -> PlanningPath:
    return PlanningPath(
        path_id="plan:1",
        source="sgd",
        dialogues=dialogues,
        split="train",
        category="SM",
        reference_mode="flow",
        steps=steps,
        edges=(),
        parallel_scale=1,
        sequential_scales=(len(steps),),
    )


def dialogue(source: PlanSource, *texts: str) -> Dialogue:
    return Dialogue(
        dialogue_id=f"dialogue:{source.source_uri}",
        source="sgd",
        source_id=source.source_id,
        source_uri=source.source_uri,
        source_split=source.split,
        split=source.split,
        path_id="plan:1",
        licence="CC0-1.0",
        attribution="Boats",
        utterances=tuple(Utterance(2 * turn, text) for turn, text in enumerate(texts)),
    )


def write_world(
    folder: Path, path: PlanningPath, *dialogues: Dialogue, described: bool = True
) -> None:
    """Write the tables that steps read, with API definitions only if `described`."""
    write_table("planning_paths", (path,), folder / "planning_paths.parquet")
    if described:
        write_table("api_definitions", DEFINITIONS, folder / "api_definitions.parquet")
    if dialogues:
        write_table("dialogues", dialogues, folder / "dialogues.parquet")
