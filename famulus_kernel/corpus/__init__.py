"""The corpus: reading data through DuckDB without a way to write or to read anything else (spec 3.7)."""

from __future__ import annotations

from famulus_kernel.corpus.files import expand
from famulus_kernel.corpus.progress import Progress
from famulus_kernel.corpus.result import ColumnValues, ResultColumn, TableResult
from famulus_kernel.corpus.sandbox import Attachment
from famulus_kernel.corpus.session import DataSession
from famulus_kernel.corpus.sql import SqlFiles, check_query, expand_collections, files_in_sql

__all__ = [
    "Attachment",
    "ColumnValues",
    "DataSession",
    "Progress",
    "ResultColumn",
    "SqlFiles",
    "TableResult",
    "check_query",
    "expand",
    "expand_collections",
    "files_in_sql",
]
