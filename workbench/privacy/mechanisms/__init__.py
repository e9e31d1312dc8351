"""One mechanism per file, all with the same members; this is the list of those the program has."""

from __future__ import annotations

from workbench.privacy.mechanisms.geometric import Geometric

Mechanism = Geometric

MECHANISMS: tuple[type[Mechanism], ...] = (Geometric,)
