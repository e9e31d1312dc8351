"""One mechanism per file, all with the same members; this is the table of those a plan can name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from workbench.plan.plan import StatisticKind
from workbench.privacy.brief import Brief
from workbench.privacy.mechanism import Mechanism
from workbench.privacy.mechanisms.gaussian import Gaussian
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.mechanisms.joint_power import JointPower
from workbench.privacy.mechanisms.joint_t import JointT
from workbench.privacy.mechanisms.laplace import GridLaplace
from workbench.privacy.mechanisms.log_gaussian import LogGaussian
from workbench.privacy.mechanisms.log_laplace import Form, LogLaplace
from workbench.privacy.mechanisms.midpoint import MidpointT
from workbench.privacy.mechanisms.smooth import FollowsLargest
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma, Split
from workbench.privacy.mechanisms.smooth_laplace import Calibration, SmoothLaplace
from workbench.privacy.mechanisms.smooth_power import SmoothPower
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.mechanisms.truncated_laplace import TruncatedLaplace
from workbench.privacy.unfit import Unfit

_ONE_CELL = Unfit("It is for several worker cells of one workplace; here every establishment is in one cell.")
COUNT = frozenset({StatisticKind.COUNT})
SUM = frozenset({StatisticKind.SUM})

Following = TypeVar("Following", bound=FollowsLargest)


@dataclass(frozen=True)
class Offer:
    """A mechanism as a plan can name it: what it is for, and how it is fitted to a brief."""

    name: str
    title: str
    kinds: frozenset[StatisticKind]
    fit: Callable[[Brief], Mechanism | Unfit]
    reason: str
    publishes_margin: bool
    is_joint: bool = False
    covers_worker_cells: bool = True
    sheet: str = ""

    @property
    def method_sheet(self) -> str:
        """The name of its method sheet; forms of one mechanism share one."""
        return self.sheet or self.name


def _with_reach(mechanism: Following | Unfit, brief: Brief) -> Following | Unfit:
    return mechanism if isinstance(mechanism, Unfit) else replace(mechanism, reach=brief.reach)


def _offer(
    kind: type[Geometric | Gaussian | LogLaplace | LogGaussian | FollowsLargest],
    kinds: frozenset[StatisticKind],
    fit: Callable[[Brief], Mechanism | Unfit],
    form: str = "",
    words: str = "",
    reason: str = "",
    **facts: bool,
) -> Offer:
    name = f"{kind.name}-{form}" if form else kind.name
    title = f"{kind.title}, {words}" if words else kind.title
    return Offer(name, title, kinds, fit, reason or kind.reason, kind.publishes_margin, sheet=kind.name, **facts)


OFFERS: tuple[Offer, ...] = (
    _offer(TruncatedLaplace, COUNT | SUM, lambda b: TruncatedLaplace.consider(b.neighbors, b.epsilon, b.reach)),
    _offer(Geometric, COUNT, lambda b: Geometric.consider(b.neighbors, b.epsilon)),
    _offer(GridLaplace, SUM, lambda b: GridLaplace.consider(b.neighbors, b.epsilon, b.reach)),
    _offer(Gaussian, COUNT | SUM, lambda b: Gaussian.consider(b.neighbors, b.epsilon, b.delta, b.rho, b.reach)),
    _offer(LogLaplace, COUNT, lambda b: LogLaplace.consider(b.neighbors, b.epsilon), covers_worker_cells=False),
    _offer(
        LogLaplace, COUNT, lambda b: LogLaplace.consider(b.neighbors, b.epsilon, form=Form.PLAIN),
        "plain", "plain", "Log-Laplace without the correction of its bias.", covers_worker_cells=False,
    ),
    _offer(
        LogLaplace, COUNT, lambda b: LogLaplace.consider(b.neighbors, b.epsilon, form=Form.HANEY),
        "haney", "as in Haney et al.", "The published scale, for comparison: twice the noise, and half of ε is spent.",
        covers_worker_cells=False,
    ),
    _offer(
        LogGaussian, COUNT, lambda b: LogGaussian.consider(b.neighbors, b.epsilon, b.delta, b.rho),
        covers_worker_cells=False,
    ),
    _offer(JointPower, COUNT | SUM, lambda b: _joint_power(b), is_joint=True),
    _offer(JointT, COUNT | SUM, lambda b: _joint(b), is_joint=True),
    _offer(MidpointT, SUM, lambda b: _midpoint(b)),
    _offer(SmoothPower, COUNT | SUM, lambda b: _with_reach(SmoothPower.consider(b.neighbors, b.epsilon), b)),
    _offer(SmoothT, COUNT | SUM, lambda b: _with_reach(SmoothT.consider(b.neighbors, b.epsilon), b)),
    _offer(SmoothGamma, COUNT | SUM, lambda b: _with_reach(SmoothGamma.consider(b.neighbors, b.epsilon), b)),
    _offer(
        SmoothGamma, COUNT | SUM,
        lambda b: _with_reach(SmoothGamma.consider(b.neighbors, b.epsilon, split=Split.PUBLISHED), b),
        "published", "as published", "The published split of ε, for comparison: more noise for the same promise.",
    ),
    _offer(
        SmoothLaplace, COUNT | SUM,
        lambda b: _smooth_laplace(b, Calibration.EXACT),
    ),
    _offer(
        SmoothLaplace, COUNT | SUM,
        lambda b: _smooth_laplace(b, Calibration.PUBLISHED),
        "published", "as published", "The published calibration, for comparison: more noise for the same promise.",
    ),
)  # fmt: skip


def _smooth_laplace(brief: Brief, calibration: Calibration) -> SmoothLaplace | Unfit:
    if brief.rho is not None:
        return Unfit("The plan’s δ is spent on adding up its statistics as zCDP, and this mechanism needs its own.")
    return _with_reach(SmoothLaplace.consider(brief.neighbors, brief.epsilon, brief.delta, calibration), brief)


def _joint_power(brief: Brief) -> JointPower | Unfit:
    if brief.worker_cells == 1:
        return _ONE_CELL
    return _with_reach(JointPower.consider(brief.neighbors, brief.epsilon, cells=brief.worker_cells), brief)


def _joint(brief: Brief) -> JointT | Unfit:
    if brief.worker_cells == 1:
        return _ONE_CELL
    return _with_reach(JointT.consider(brief.neighbors, brief.epsilon, cells=brief.worker_cells), brief)


def _midpoint(brief: Brief) -> MidpointT | Unfit:
    """A record without a value adds 0 to the sum and 1 to the count: 0 has to be within the bounds."""
    if brief.measure is None:
        return Unfit("It needs the public bounds of the measure: declare them on the Columns page.")
    measure = replace(brief.measure, lower=min(brief.measure.lower, 0), upper=max(brief.measure.upper, 0))
    return MidpointT.consider(brief.neighbors, brief.epsilon, measure)


def offer_named(name: str) -> Offer | None:
    return next((offer for offer in OFFERS if offer.name == name), None)
