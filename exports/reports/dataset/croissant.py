"""Metadata of a data set in Croissant 1.0, from the schemas of its Parquet tables.

Lists are repeated fields. What has fields within fields is JSON to Croissant's readers only where
their record sets say so: columns of structs have a sub-field for each of theirs.
Source: docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

FILE = "croissant.json"
_FORMAT = "application/x-parquet"
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataBiases": "cr:dataBiases",
    "dataCollection": "cr:dataCollection",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "personalSensitiveInformation": "cr:personalSensitiveInformation",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


@dataclass(frozen=True)
class Table:
    """A table of the data set.

    Attributes:
        path: below the folder.
        about: one sentence.
        sha256: of the file.
    """

    name: str
    path: str
    description: str
    schema: pa.Schema
    sha256: str


def croissant(name: str, tables: Sequence[Table]) -> dict[str, Any]:
    """The metadata as JSON-LD."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": name,
        "description": f"The campaign {name}: tasks with gold, and what people and systems did.",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": f"{table.name}.parquet",
                "name": f"{table.name}.parquet",
                "contentUrl": table.path,
                "encodingFormat": _FORMAT,
                "sha256": table.sha256,
            }
            for table in tables
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": table.name,
                "name": table.name,
                "description": table.description,
                "field": list(_fields(table)),
            }
            for table in tables
        ],
    }


def _fields(table: Table) -> Iterator[dict[str, Any]]:
    for column in table.schema:
        id_ = f"{table.name}/{column.name}"
        source = {
            "fileObject": {"@id": f"{table.name}.parquet"},
            "extract": {"column": column.name},
        }
        inner, repeated = column.type, False
        while pa.types.is_list(inner):
            inner, repeated = inner.value_type, True
        field: dict[str, Any] = {"@type": "cr:Field", "@id": id_, "name": column.name}
        if repeated:
            field["repeated"] = True
        if not pa.types.is_struct(inner):
            yield field | {"dataType": _type(inner), "source": source}
            continue
        yield field | {
            "subField": [
                {
                    "@type": "cr:Field",
                    "@id": f"{id_}/{part.name}",
                    "name": part.name,
                    "dataType": _type(part.type),
                    "source": source | {"transform": {"jsonPath": part.name}},
                }
                for part in inner
            ]
        }


def _type(type_: pa.DataType) -> str:
    if pa.types.is_boolean(type_):
        return "sc:Boolean"
    if pa.types.is_integer(type_):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(type_) else "sc:Text"
