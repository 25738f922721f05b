"""Load the prices of models from a configuration file, and compute the cost of requests.

Money is counted in whole billionths of a US dollar.
"""

import math
from pathlib import Path

import msgspec

from benchloom.core.data_files import data_path
from benchloom.core.errors import RunError
from prompts.exchange import Request

PRICES = data_path("prompts.ledger", "prices.yaml")
NANO = 1_000_000_000
MESSAGE_OVERHEAD = 16
"""Maximum tokens that a chat format adds around one message; real formats add 3 to 8."""
MAX_USD = 1_000_000_000
"""The highest cap in US dollars; costs are stored as billionths of a dollar in 64 bits."""
MAX_PRICE = 10_000
"""Maximum price in US dollars per million tokens; the most expensive known model costs 600."""


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price of a model in US dollars per million tokens.

    `batch` is the factor for requests by the Batch API. `cached` is the price of prompt tokens that
    the endpoint read from its cache; `batch_cached` is their price in a batch, to which the factor
    is not applied. If these two are None, cached tokens have no discount.
    """

    input: float
    output: float
    batch: float = 1.0
    cached: float | None = None
    batch_cached: float | None = None

    def nano(
        self, tokens_in: int, tokens_out: int, tokens_cached: int = 0, *, batch: bool = False
    ) -> int:
        """Return the cost in billionths of a dollar, rounded up.

        `tokens_in` includes the cached tokens.
        """
        factor = self.batch if batch else 1.0
        cached = self.batch_cached if batch else self.cached
        if cached is None:
            tokens_cached = 0
        millionths = ((tokens_in - tokens_cached) * self.input + tokens_out * self.output) * factor
        cost = (millionths + tokens_cached * (cached or 0.0)) * 1_000
        # Rounding first keeps 0.1 + 0.2 from adding a billionth.
        return math.ceil(round(cost, 6))

    def most_nano(self, request: Request, *, batch: bool = False) -> int:
        """Return the highest possible cost of one request in billionths of a dollar.

        It holds for any tokenizer.
        """
        return self.nano(most_tokens_in(request), request.parameters.max_tokens, batch=batch)


FREE = Price(0, 0)
"""The price of an endpoint that costs nothing, such as a model on this machine."""


class _PriceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    models: dict[str, Price]


def most_tokens_in(request: Request) -> int:
    """Return the highest possible number of a request's prompt tokens.

    Byte-level tokenizers never make more than one token per byte.
    """
    parameters = request.parameters
    contents = (message.content for message in request.messages)
    texts = (*contents, parameters.reply_schema or "", parameters.reply_name)
    size = sum(len(text.encode()) for text in texts)
    return size + MESSAGE_OVERHEAD * (len(request.messages) + 1)


def load_price(model: str, path: Path = PRICES) -> Price | None:
    """Return the price of a model, or None if the price table does not contain it.

    An entry of the table applies to all models whose names begin with its name; the longest name
    wins.

    Raises:
        RunError: the table cannot be read or has a price out of bounds.
    """
    try:
        table = msgspec.yaml.decode(path.read_bytes(), type=_PriceFile)
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path} is not a table of prices: {error}") from error
    for name, price in table.models.items():
        prices = msgspec.structs.astuple(price)
        if not all(0 <= value <= MAX_PRICE for value in prices if value is not None):
            raise RunError(
                f"{path}: '{name}' has a price that is not within 0 to {MAX_PRICE}; state US "
                "dollars per million tokens"
            )
        # A reservation is made at the full price.
        if max(price.cached or 0, (price.batch_cached or 0) / (price.batch or 1)) > price.input:
            raise RunError(
                f"{path}: in '{name}', cached tokens cost more than other prompt tokens; lower "
                "cached or batch_cached"
            )
    names = [name for name in table.models if model.startswith(name)]
    return table.models[max(names, key=len)] if names else None
