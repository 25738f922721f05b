"""Five joins of a release as code for the card; a test runs each and reads `joined`."""

from typing import Final, NamedTuple


class Join(NamedTuple):
    """A join: the question it answers, and the code for pandas."""

    title: str
    code: str


JOINS: Final = (
    Join(
        "Requests of test with the plan that answers them",
        """\
import pandas as pd
test = [("split", "==", "test")]
requests = [("kind", "==", "instruction"), ("kept", "==", True)]
texts = pd.read_parquet("queries", filters=[*test, *requests])
plans = pd.read_parquet("planning_paths", filters=test, columns=["path_id", "category", "steps"])
joined = texts.merge(plans, left_on="target_id", right_on="path_id", suffixes=("", "_of_plan"))""",
    ),
    Join(
        "Requests with the shortcut they ask for",
        """\
import pandas as pd
texts = pd.read_parquet("queries", filters=[("kind", "==", "query"), ("kept", "==", True)])
rows = pd.read_parquet("shortcuts", columns=["shortcut_id", "name", "level", "workflow"])
joined = texts.merge(rows, left_on="target_id", right_on="shortcut_id")""",
    ),
    Join(
        "The steps of every plan with the definitions of their APIs",
        """\
import pandas as pd
steps = pd.read_parquet("planning_paths", columns=["path_id", "steps"]).explode("steps")
steps["definition_id"] = steps.steps.str["definition_id"]
apis = pd.read_parquet("api_definitions", columns=["definition_id", "title", "parameters"])
joined = steps.merge(apis, on="definition_id")""",
    ),
    Join(
        "The actions of every shortcut with the definitions of their APIs",
        """\
import pandas as pd
checks = pd.read_parquet("definition_checks", columns=["shortcut_id", "actions"])
actions = checks.explode("actions").dropna(subset="actions")
actions["definition_id"] = actions.actions.str["definition_id"]
apis = pd.read_parquet("api_definitions", columns=["definition_id", "api", "parameters"])
joined = actions.merge(apis, on="definition_id")""",
    ),
    Join(
        "What users said with the plan that was made from it",
        """\
import pandas as pd
said = pd.read_parquet("dialogues", columns=["source_id", "path_id", "utterances", "licence"])
plans = pd.read_parquet("planning_paths", columns=["path_id", "split", "steps"])
joined = said.merge(plans, on="path_id")""",
    ),
)
