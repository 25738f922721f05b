"""Export selected rows as files."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from flows.explorer.errors import AbsentError
from flows.explorer.export import EXPORTS
from flows.explorer.selection import read_selection
from flows.explorer.web.site import Site


def add_to(app: FastAPI, site: Site) -> None:
    """Add the routes for exported files to the application."""

    def export(request: Request) -> Response:
        name, _, kind = request.path_params["file"].rpartition(".")
        if kind not in EXPORTS:
            raise AbsentError(f"'{kind}' is not one of {', '.join(EXPORTS)}")
        table = site.release.table(name)
        batches = site.lists.stream(
            table, read_selection(request.query_params.multi_items(), table)
        )
        schema = next(batches).schema  # faults of the question are told before anything is sent
        written, content_type = EXPORTS[kind]
        file = f"{table.name}-{site.release.manifest.version}.{kind}"
        return StreamingResponse(
            written(schema, batches),
            media_type=content_type,
            headers={"Content-Disposition": f'attachment; filename="{file}"'},
        )

    app.get("/export/{file}")(export)
