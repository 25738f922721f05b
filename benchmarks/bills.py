"""This benchmark compares the cost of texts in a rebuild with that of direct calls without caches.

    python -m benchmarks.bills DIALOGUES

prints the figures. A fake model behind a local endpoint writes an instruction for each plan of an
invented world, then judges and scores the texts. One text in five lacks values, because rules drop
about this share of the texts of strong models. The endpoint counts tokens and bills as a provider
does.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchloom.storage.tables import row_count, table_parts
from benchmarks._processor import print_json
from benchmarks.worlds import write_dialogues
from flows.run.processes.lean import skip_pandas
from flows.run.runner import run_stage
from flows.stages.dialogues import normalise
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.generate.model import run_model
from flows.stages.generate.plan import Endpoint, GeneratePlan, folders_for_step
from prompts.ledger.schema import spent_between
from prompts.steps import Sampling
from tests.support.llm.provider import PRICE_TABLE, Provider
from tests.support.stages import convert

DIALOGUES = 12_600
"""The number of dialogues; four of five become plans, so there are about 10,000 texts."""
MAX_SHARE = 0.45
STEPS = ("instruction", "faithfulness", "instruction_score")
CARELESS = 0.2
"""The share of texts in which the model names no value, so that rules drop them."""


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of texts and judgements of a run, and its cost in millionths of a US dollar.

    `bill` is the cost that the endpoint bills, `booked` the cost in benchloom's ledger, and
    `cached_share` the share of prompt tokens that the endpoint read from its cache.
    """

    texts: int
    kept: int
    judged: int
    bill: int
    booked: float
    cached_share: float


def ratios() -> list[tuple[str, float, str]]:
    """Return the ratio of the two bills, and the difference between bill and ledger in cents."""
    before, after = measured(DIALOGUES)
    # A direct call whose connection broke may be billed, and is booked at its highest cost.
    cents = abs(after.bill - after.booked) / 10_000
    return [
        (
            f"bill of {after.texts} texts relative to direct calls",
            after.bill / before.bill,
            "<= 0.45",
        ),
        ("difference between ledger and bill, cents", cents, "<= 1"),
    ]


def measured(dialogues: int) -> tuple[Bill, Bill]:
    """Return the bill of direct calls without a cache, and the bill of a rebuild.

    The direct calls also judge the texts that rules dropped; the rebuild uses batches and a cache.
    """
    with TemporaryDirectory(prefix="benchloom-") as name:
        source = plans_in(Path(name), dialogues)
        return (
            bill_of(source, Path(name) / "before", batch=False, every_text=True, caches=False),
            bill_of(source, Path(name) / "after", batch=True, every_text=False, caches=True),
        )


def plans_in(folder: Path, dialogues: int) -> Path:
    """Write the plans of invented dialogues, and return the folder of their stage."""
    write_dialogues(folder / "dialogues" / "train", dialogues, 1)
    out = folder / "converted"
    converted = convert("sgd", [folder / "dialogues"], out, ConversionOptions())
    return run_stage(normalise.prepare([converted]), folder).path


def bill_of(source: Path, work: Path, *, batch: bool, every_text: bool, caches: bool) -> Bill:
    """Run the LLM steps on the plans in `source`, and return the endpoint's bill."""
    work.mkdir()
    prices = work / "prices.yaml"
    prices.write_text(PRICE_TABLE)
    server = Provider(caches=caches, careless=CARELESS)
    kept_count = judged_count = 0
    with server.running():
        endpoint = Endpoint(
            log=work / "log.sqlite",
            base_url=server.url,
            prices=prices,
            max_usd=1e6,
            batch=batch,
            poll_seconds=0.1,
        )
        for step in STEPS:
            folders = [source] if step == STEPS[0] else [source, work / STEPS[0]]
            with folders_for_step(step, folders) as folder:
                plan = GeneratePlan(
                    step=step,
                    source=folder,
                    model="test-model",
                    sampling=Sampling(every_text=every_text),
                )
                outcome = run_model(plan, work / step, endpoint)
            kept_count = outcome.kept if step == STEPS[0] else kept_count
            judged_count = outcome.judged or judged_count
    prompts = sum(line.prompt for line in server.bill)
    return Bill(
        texts=sum(row_count(part) for part in table_parts(work / STEPS[0], "queries")),
        kept=kept_count,
        judged=judged_count,
        bill=server.micro,
        booked=round(spent_between(endpoint.log, 0.0, 1e12) * 1e6, 3),
        cached_share=sum(line.cached for line in server.bill) / prompts,
    )


if __name__ == "__main__":
    skip_pandas()
    for run in measured(int(sys.argv[1])):
        print_json(run)
