"""Map the spellings of names that a prediction may use to the names in a sample's calls.

In a release, the names of apps and APIs are SGD's services and methods. The published prompt
contains AppBench's names. A prediction may use either, unless two services of the sample have the
same name in AppBench.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from benchloom.exchange.examples import Call
from benchloom.exchange.formats.appbench import api_name, app_name


class Names:
    """Maps each spelling of an app or API in a sample's calls to its canonical spelling."""

    def __init__(self, calls: Iterable[Call]) -> None:
        all_calls = tuple(calls)
        self._apps = _spellings((call.app, app_name(call.app)) for call in all_calls)
        pairs = {(call.app, call.api): api_name(call.app, call.api) for call in all_calls}
        self._of_app: dict[str, dict[str, str]] = {}
        for app in dict.fromkeys(map(self.app, (call.app for call in all_calls))):
            own = ((api, name) for (raw, api), name in pairs.items() if self.app(raw) == app)
            self._of_app[app] = _spellings(own)
        self._apis: dict[str, str] = {}
        for spellings in self._of_app.values():
            self._apis = {**spellings, **self._apis}
        self._returns = {
            self.call(api_call.app, api_call.api): api_call.returns for api_call in all_calls
        }
        self._prefixes = sorted((name for name in self._apps if name), key=len, reverse=True)

    def app(self, name: str) -> str:
        """Return the canonical name of an app; an unknown name is returned unchanged."""
        return self._apps.get(name, name)

    def call(self, app: str, api: str) -> tuple[str, str]:
        """Return the canonical names of an app and its API."""
        app = self.app(app)
        return app, self._of_app.get(app, {}).get(api) or self._apis.get(api, api)

    def returns(self, app: str, api: str) -> tuple[str, ...] | None:
        """Return the declared outputs of an API, or None if no call of the sample uses the API."""
        return self._returns.get(self.call(app, api))

    def split(self, written: str, app: str | None) -> tuple[str, str]:
        """Split a name in an output into app and API.

        The name is `app_api`, or only the API if the line of the output already names the `app`.
        """
        if app is not None:
            api_names = self._of_app.get(self.app(app), {})
            behind = _behind(written, app)
            return app, written if written in api_names or behind is None else behind
        for prefix in self._prefixes:
            behind = _behind(written, prefix)
            if behind is not None:
                return prefix, behind
        if written in self._of_app.get("", {}):
            return "", written
        before, mark, behind = written.partition("_")
        return (before, behind) if mark and before and behind else ("", written)


def _behind(written: str, app: str) -> str | None:
    size = len(app)
    begins = written[:size].casefold() == app.casefold() and written[size : size + 1] in {"_", "."}
    return written[size + 1 :] if begins and len(written) > size + 1 else None


def _spellings(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    own_of: Mapping[str, dict[str, None]] = defaultdict(dict)
    for own, published in names:
        own_of[published][own] = None
    spellings: dict[str, str] = {}
    for published, owners in own_of.items():
        spelling = next(iter(owners)) if len(owners) == 1 else published
        spellings |= dict.fromkeys((published, *owners), spelling)
    return spellings
