"""The dataset Schema-Guided Dialogue records service calls and results; each split has a schema."""

from parsers.dialogues.sources import DialogueSource

SOURCE = DialogueSource(
    name="sgd",
    title="Schema-Guided Dialogue",
    address="https://github.com/google-research-datasets/dstc8-schema-guided-dialogue",
    licence="CC BY-SA 4.0",
    redistributable=True,
    modes=("flow", "name"),
    has_variants=True,
)
