"""Write `croissant.json`: Croissant 1.0 metadata (JSON-LD), which `mlcroissant` can read.

Fields of nested columns are described only one level deep, because `mlcroissant` fails on
structures inside structures. The JSON schemas in `schemas/` describe every level.
"""

from pathlib import Path
from typing import Any

import msgspec

from benchloom.core.set_details import SetDetails
from benchloom.release.descriptions import ReleaseView
from benchloom.release.descriptions.pages import DESCRIPTION, LICENCE_ADDRESS
from benchloom.storage.tables import ColumnDefinition, TableDefinition, load_table
from benchloom.storage.workspace import write_file

PATHS = ("croissant.json",)

_FORMAT = "application/x-parquet"
_TYPES = {
    "string": "sc:Text",
    "int32": "sc:Integer",
    "int64": "sc:Integer",
    "double": "sc:Float",
    "bool": "sc:Boolean",
    "timestamp": "sc:DateTime",
}
_TERMS = (
    "citeAs column equivalentProperty extract field fileObject fileProperty fileSet format "
    "includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated "
    "replace samplingRate separator source subField transform"
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in _TERMS.split()},
}


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `croissant.json` and return its path."""
    path = folder / "croissant.json"
    content = msgspec.json.format(msgspec.json.encode(metadata(release)), indent=2)
    write_file(path, content + b"\n")
    return [path]


def metadata(release: ReleaseView) -> dict[str, Any]:
    """Return the Croissant metadata of a release: its tables, their files and their columns."""
    names = list(release.tables.rows())
    files = sorted(release.tables.files, key=lambda file: file.path)
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **owner_fields(release.details),
        "version": release.version,
        "identifier": release.content_digest,
        "citeAs": f"{release.heading}, {release.content_digest}",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.path,
                "name": file.path,
                "contentUrl": file.path,
                "contentSize": f"{file.bytes} B",
                "encodingFormat": _FORMAT,
                "sha256": file.sha256,
            }
            for file in files
        ]
        + [
            {
                "@type": "cr:FileSet",
                "@id": f"{name}-files",
                "name": f"{name}-files",
                "description": f"All files of the table {name}.",
                "encodingFormat": _FORMAT,
                "includes": f"{name}/*.parquet",
            }
            for name in names
        ],
        "recordSet": [_record_set(load_table(name)) for name in names],
    }


def owner_fields(details: SetDetails) -> dict[str, Any]:
    """Return the metadata that the owner of the dataset stated, such as title and licence."""
    fields: dict[str, Any] = {
        "name": details.name or details.heading,
        "description": details.description or DESCRIPTION,
        "license": LICENCE_ADDRESS,
    }
    if details.title:
        fields["alternateName"] = details.title
    if details.licence:
        spdx = details.spdx
        fields["license"] = f"https://spdx.org/licenses/{spdx}" if spdx else details.licence
    if details.people:
        creators = [{"@type": "sc:Person", "name": author.name} for author in details.people]
        fields["creator"] = creators
    if details.homepage:
        fields["url"] = details.homepage
    return fields


def _record_set(table: TableDefinition) -> dict[str, Any]:
    record_set: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        "field": [_field(table.name, column) for column in table.columns],
    }
    if table.key:
        record_set["key"] = [{"@id": f"{table.name}/{column}"} for column in table.key]
    return record_set


def _field(table: str, column: ColumnDefinition) -> dict[str, Any]:
    field_id = f"{table}/{column.name}"
    source = {"fileSet": {"@id": f"{table}-files"}, "extract": {"column": column.name}}
    field = _describe(field_id, column)
    if column.item_type != "struct":
        return {**field, "dataType": _TYPES[column.item_type], "source": source}
    sub_fields = [
        {
            **_describe(f"{field_id}/{inner.name}", inner),
            "dataType": _TYPES[inner.item_type],
            "source": {**source, "transform": {"jsonPath": f"$.{inner.name}"}},
        }
        for inner in column.fields
        if inner.item_type != "struct"
    ]
    deeper = [inner.name for inner in column.fields if inner.item_type == "struct"]
    if deeper:
        field["description"] += (
            f" The nested {', '.join(deeper)} are described in schemas/{table}.schema.json."
        )
    return {**field, "subField": sub_fields}


def _describe(field_id: str, column: ColumnDefinition) -> dict[str, Any]:
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": field_id,
        "name": field_id,
        "description": column.description,
    }
    if column.is_list:
        field["repeated"] = True
    return field
