"""Serve the pages of a shortcut and of its run on the simulated device."""

from fastapi import FastAPI, Request, Response

from benchloom.core.records import (
    ApiDefinition,
    Capture,
    DefinitionCheck,
    ICloudRecord,
    Listing,
    Shortcut,
)
from benchloom.release.descriptions.pages import icloud_address, web_address
from flows.explorer.errors import AbsentError
from flows.explorer.open_release import OpenRelease
from flows.explorer.related_rows import definitions_of, records_where, rows_where, written_about
from flows.explorer.views.runs import run_view
from flows.explorer.views.shortcuts import read_shortcut, shortcut_view
from flows.explorer.web.site import Site, query_parameter


def add_to(app: FastAPI, site: Site) -> None:
    """Add the pages of a shortcut to the application."""

    def requested(request: Request) -> tuple[Shortcut, dict[str, ApiDefinition], int]:
        """Return the requested shortcut, its actions' definitions, and the number of its copies.

        Copies are rows with the same id, because a release can contain the same shortcut several
        times.
        """
        requested_id = query_parameter(request, "id")
        rows = rows_where(site.release, "shortcuts", "shortcut_id", [requested_id])
        if not rows:
            raise AbsentError("this release does not have this shortcut")
        matches = [
            row
            for row in rows
            if query_parameter(request, "bytes") in {"", row["source_digest"]}
            and query_parameter(request, "at") in {"", row["source_uri"]}
        ]
        row = read_shortcut((matches or rows)[0])
        ids = [action.definition_id for action in row.actions]
        return row, definitions_of(site.release, ids), len(rows)

    @app.get("/shortcut")
    def shortcut(request: Request) -> Response:
        row, definitions, alike = requested(request)
        shortcut_page = shortcut_view(row, definitions)
        listings = records_where(
            site.release,
            Listing,
            "listings",
            "icloud_id",
            [icloud_id.lower() for icloud_id in row.icloud_ids],
        )
        records = records_where(
            site.release, ICloudRecord, "icloud_records", "icloud_id", row.icloud_ids
        )
        return site.page(
            "shortcut.html.j2",
            request,
            shortcut_page.title,
            view=shortcut_page,
            row=row,
            definitions=sorted(definitions.values(), key=lambda definition: definition.api),
            written=written_about(site.release, row.shortcut_id),
            listings=[(listing, web_address(listing.listing_url)) for listing in listings],
            records=[(record, icloud_address(record.icloud_id)) for record in records],
            captures=_captures(site.release, listings, records),
            checks=_checks(site.release, row.shortcut_id, row.source_uri),
            alike=alike,
        )

    @app.get("/run")
    def run(request: Request) -> Response:
        row, definitions, _ = requested(request)
        run_page = run_view(row, definitions)
        return site.page("run.html.j2", request, run_page.title, view=run_page, row=row)


def _captures(
    release: OpenRelease, listings: list[Listing], records: list[ICloudRecord]
) -> list[Capture]:
    """Return the captures from which the shortcut's listings and iCloud records were read."""
    capture_ids = [
        capture_id for listing in listings for capture_id in (listing.capture, listing.link_capture)
    ]
    capture_ids += [
        capture_id
        for record in records
        for capture_id in (record.record_capture, record.asset_capture)
    ]
    return records_where(release, Capture, "captures", "capture_id", capture_ids)


def _checks(release: OpenRelease, shortcut_id: str, uri: str) -> list[DefinitionCheck]:
    checks = records_where(
        release, DefinitionCheck, "definition_checks", "shortcut_id", [shortcut_id]
    )
    return [check for check in checks if check.source_uri == uri]
