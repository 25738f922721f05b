"""Serve a local model in a process that ends when its standard input is closed.

`prompts.endpoint.local` starts the process. The model has its own process because damaged weights
end the process, without an error that Python could catch.
"""

import os
import sys

from prompts.endpoint.local import LOCAL

CONTEXT = 8_192
"""Maximum tokens of prompt and reply together; our longest prompts use a third of them."""
PENALTY = 1.1
"""Penalty for repeated tokens. Without it, a small model at temperature 0 repeats itself up to the
token limit."""


def serve(path: str, model: str) -> None:
    """Load the weights, print the server's address, and serve until standard input is closed.

    Equal requests get equal replies: sampling uses no randomness, requests are answered one at a
    time, and no prompt is cached, because a cache would change the order in which numbers are
    added.
    """
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {model}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.offline = True
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.verbosity = -1
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cache_prompt = False
    parameters.cache_ram_mib = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _threads()
    parameters.sampling.temp = 0.0
    parameters.sampling.seed = 0
    parameters.sampling.penalty_repeat = PENALTY
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as error:
        sys.exit(f"{LOCAL}: {error}")
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # the server has no other end


def _threads() -> int:
    """Return one less than the number of processors, and at least 1.

    A thread without a free processor would delay all others.
    """
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, processors - 1)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
