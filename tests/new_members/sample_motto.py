"""Sample of the motto step: the tea timer of the query step."""

from tests.prompts.samples.base import Sample
from tests.prompts.samples.query import SAMPLE as QUERY

SAMPLE = Sample(
    QUERY.step_input,
    ('{"motto": "Good tea waits for nobody, so count me down."}',),
    QUERY.step_input.description,
)
