"""Price tables and weights that cannot be used."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchloom.core.errors import RunError
from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart

CAPS_NOTHING = "caps nothing"
NO_ENDPOINT = "'llm' needs OPENAI_API_KEY in the environment, or base_url"


def price_faults(part: SoundPart, base: Path) -> Iterator[Fault]:
    """A table that cannot be read, and a cap that caps nothing."""
    from prompts.ledger.prices import PRICES, load_price

    options = part.configuration.generate
    prices = part.configuration.prices(base)
    if options.free or (prices is None and options.max_usd is None):
        return
    try:
        price = load_price(options.model, prices or PRICES)
    except (RunError, OSError) as error:
        yield part.located(Fault(f"generate.prices: {error}", ("generate", "prices")))
        return
    asks = options.writer not in {"template", "local"}
    if price is None and options.max_usd is not None and asks:
        message = f"generate.max_usd {CAPS_NOTHING}: the price table lacks '{options.model}'"
        yield part.located(Fault(message, ("generate", "max_usd")))


def endpoint_faults(part: SoundPart) -> Iterator[Fault]:
    """Who is asked for texts, and what asking takes: an address or a key, and the client."""
    options = part.configuration.generate
    if options.writer != "llm" or not options.steps:
        return
    key = ("generate", "writer")
    if find_spec("openai") is None:
        message = "generate.writer: 'llm' needs the extra 'llm': pip install 'benchloom[llm]'"
        yield part.located(Fault(message, key, '"llm"', outside=True))
    # A configured server may hold the key in a block, which is only looked at by a run.
    endpoint_variables = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "PREFECT_API_URL")
    if options.base_url is None and not any(map(os.environ.get, endpoint_variables)):
        message = f"generate.writer: {NO_ENDPOINT}"
        yield part.located(Fault(message, key, '"llm"', outside=True))


def weight_faults(part: SoundPart, base: Path) -> Iterator[Fault]:
    """What would keep a local model from being loaded."""
    from prompts.endpoint.local.weights import find_weights

    options = part.configuration.generate
    if options.writer != "local" and options.model_file is None:
        return
    try:
        find_weights(part.configuration.model_file(base))
    except RunError as error:
        key = "writer" if options.model_file is None else "model_file"
        lacking = "pip install" in str(error)
        yield part.located(Fault(f"generate: {error}", ("generate", key), outside=lacking))
