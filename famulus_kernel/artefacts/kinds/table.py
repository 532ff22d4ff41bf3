"""Kind `table`: rows and columns (spec 5.1)."""

from __future__ import annotations

from famulus_kernel.artefacts.build import BuildContext, Built, TablePayload
from famulus_kernel.artefacts.tables import as_table, first_rows, table_part, write_full
from famulus_kernel.artefacts.view import View


class TableBuilder:
    """`data` is `{columns: [{name, type}], rows, n_rows}` of the first rows; all lie beside it (`tables`)."""

    kind = "table"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a TablePayload, a list of mappings, or a mapping of `rows` and perhaps `columns`."""
        try:
            table = payload if isinstance(payload, TablePayload) else as_table(payload)
        except ValueError as error:
            raise context.error(str(error)) from error
        rows = first_rows(table.rows)
        full = write_full(table, context)
        data = {
            "columns": [{"name": name, "type": kind} for name, kind in table.columns],
            "rows": rows,
            "n_rows": table.total,
        }
        return Built(data, View(parts=(table_part(table, rows, full),)), full.names)


BUILDER = TableBuilder()
