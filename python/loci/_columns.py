# SPDX-License-Identifier: Apache-2.0
"""Statements by columns: mappings and data frames become one list per column, which the extension
takes in one call."""

from typing import Any, Mapping

REQUIRED = ("subject", "relation", "object")


def is_columnar(statements: Any) -> bool:
    return isinstance(statements, Mapping) or (hasattr(statements, "columns") and hasattr(statements, "iloc"))


def columns_of(table: Any, source: str) -> "tuple[int, Any, Any, Any, Any]":
    """The number of rows; and per column a list of values, or one value for all rows."""
    names = list(table.keys()) if isinstance(table, Mapping) else list(table.columns)
    missing = [name for name in REQUIRED if name not in names]
    unknown = [name for name in names if name not in (*REQUIRED, "source")]
    if missing or unknown:
        raise TypeError("expected the columns subject, relation, object and perhaps source; "
                        f"found {', '.join(map(repr, names)) or 'none'}")
    columns = [_values(table[name]) for name in REQUIRED]
    columns.append(_values(table["source"]) if "source" in names else source)
    lengths = [len(column) for column in columns if isinstance(column, list)]
    rows = lengths[0] if lengths else 1
    subject, relation, object_, said_by = columns
    return rows, subject, relation, object_, said_by


def _values(column: Any) -> Any:
    """A list, or a scalar."""
    if isinstance(column, list):
        return column
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    if kind == "M" and not hasattr(column, "iloc"):
        # numpy gives nanoseconds as int; microseconds are what datetime can say.
        return column.astype("datetime64[us]").tolist()
    if kind and hasattr(column, "tolist") and getattr(column, "ndim", 1) == 1:
        return column.tolist()
    if isinstance(column, (str, bytes)) or not hasattr(column, "__iter__"):
        return column
    return list(column)
