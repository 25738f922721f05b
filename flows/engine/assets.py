"""Prefect assets: the tables of a release, the release, and the places where it was published.

A task shows what it made as events of its own run, so an asset costs no task run. The assets are
added to the task's context while it runs: which tables a release has is only known when it is
built, and the decorator `materialize` must know its assets before.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from prefect.assets import Asset, AssetProperties
from prefect.context import AssetContext

from benchloom.core.set_details import UNNAMED
from benchloom.release import read_manifest
from benchloom.release.manifest import Manifest
from scrapers.mirrors.address import is_url, without_secrets

Facts = Mapping[str, str | int]

_NOT_IN_KEYS = re.compile(r"[^\w./:~+-]+", re.ASCII)
_LONGEST_KEY = 512


def show_release_assets(folder: Path) -> None:
    """Show the tables of a release and the release as made by the current task run."""
    manifest = read_manifest(folder)
    facts: dict[str, str | int] = {"version": manifest.version}
    for table, rows in manifest.tables().items():
        size = sum(file.bytes for file in manifest.files if file.table == table)
        asset = _asset(f"{_set_key(manifest)}/{table}", table, manifest)
        _show_asset(asset, facts | {"rows": rows, "bytes": size})
    metadata = {"content_digest": manifest.content_digest, "folder": str(folder.absolute())}
    _show_asset(_release_asset(manifest), facts | metadata)


def show_published_asset(folder: Path, target: str) -> None:
    """Show a place as made by the current task run from a release."""
    manifest = read_manifest(folder)
    address = without_secrets(target) if is_url(target) else Path(target).absolute().as_uri()
    facts: Facts = {"version": manifest.version, "content_digest": manifest.content_digest}
    _show_asset(_asset(address, address, manifest), facts, [_release_asset(manifest)])


def _release_asset(manifest: Manifest) -> Asset:
    return _asset(_set_key(manifest), manifest.details.heading, manifest)


def _set_key(manifest: Manifest) -> str:
    return f"benchloom://{manifest.details.name or UNNAMED}"


def _asset(key: str, name: str, manifest: Manifest) -> Asset:
    properties = AssetProperties(name=name, url=manifest.details.homepage or None)
    return Asset(key=_NOT_IN_KEYS.sub("-", key)[:_LONGEST_KEY], properties=properties)


def _show_asset(asset: Asset, facts: Facts, made_from: Sequence[Asset] = ()) -> None:
    context = AssetContext.get()
    if context is None:
        raise RuntimeError("no task run is under way")
    context.downstream_assets.add(asset)
    context.direct_asset_dependencies.update(made_from)
    context.add_asset_metadata(asset.key, dict(facts))
