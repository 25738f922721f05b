"""How much a command says on standard error: -q hides progress, -v shows logs and tracebacks."""

from collections.abc import Sequence

QUIET = frozenset({"-q", "--quiet"})
VERBOSE = frozenset({"-v", "--verbose"})


class Verbosity:
    """What the user asked for; every command takes both options, anywhere in its line.

    Attributes:
        quiet: whether progress is hidden.
        verbose: whether log lines of the run, and the traceback of an error, are shown.
    """

    quiet = False
    verbose = False

    def reset(self) -> None:
        """Forget what an earlier command line of this process asked for."""
        self.quiet = self.verbose = False

    def taken_from(self, words: Sequence[str]) -> list[str]:
        """Take the two options from the words of a command line; words after -- stay."""
        end = words.index("--") if "--" in words else len(words)
        for word in words[:end]:
            self.quiet = self.quiet or word in QUIET
            self.verbose = self.verbose or word in VERBOSE
        others = [word for word in words[:end] if word not in QUIET | VERBOSE]
        return [*others, *words[end:]]


verbosity = Verbosity()
