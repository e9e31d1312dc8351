"""Keeps at most so many records of each protected unit, by an order that does not depend on their values."""

from __future__ import annotations

from typing import Any

from workbench.data.engine import ROW
from workbench.plan.plan import ReleasePlan

_PLACE = "_place_in_order"


def bounded(records: Any, plan: ReleasePlan, order: str) -> Any:
    """The records that count: for every person or employer the first few in the order of a keyed hash."""
    neighbors = plan.neighbors
    if neighbors is None or neighbors.needs is None or neighbors.most_records is None:
        return records
    import ibis

    unit = plan.columns_with(neighbors.needs)[0].name
    by_hash = (ibis.literal(order) + records[ROW].cast("string")).hash()
    place = ibis.row_number().over(group_by=unit, order_by=[by_hash, records[ROW]])
    numbered = records.mutate(**{_PLACE: place})
    return numbered.filter(numbered[_PLACE] < neighbors.most_records).drop(_PLACE)
