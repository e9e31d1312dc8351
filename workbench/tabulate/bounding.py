"""Keeps at most so many records of each protected unit, by an order that does not depend on their values."""

from __future__ import annotations

from typing import Any

from workbench.data.engine import ROW
from workbench.plan.plan import ReleasePlan

_NUMBER, _PLACE = "_number_in_unit", "_place_in_unit"


def bounded(records: Any, plan: ReleasePlan, order: str) -> Any:
    """The records that count: for every person or employer the first few in the order of a keyed hash.

    The hash is of the unit and of the record's number within it, so that taking one unit away changes nothing about
    which records the others keep.
    """
    neighbors = plan.neighbors
    if neighbors is None or neighbors.needs is None or neighbors.most_records is None:
        return records
    import ibis

    unit = plan.columns_with(neighbors.needs)[0].name
    numbered = records.mutate(**{_NUMBER: ibis.row_number().over(group_by=unit, order_by=ROW)})
    by_hash = (ibis.literal(order) + numbered[unit] + ":" + numbered[_NUMBER].cast("string")).hash()
    place = ibis.row_number().over(group_by=unit, order_by=[by_hash, numbered[_NUMBER]])
    placed = numbered.mutate(**{_PLACE: place})
    return placed.filter(placed[_PLACE] < neighbors.most_records).drop(_NUMBER, _PLACE)
