"""What a guarantee means for an outsider's guess: bounds on belief and on detection, never rounded in our favour."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

_DIGITS = 50


def posterior(prior: Fraction, epsilon: Fraction) -> Decimal:
    """The chance an outsider can give at most afterwards: p·e^ε / (p·e^ε + 1 - p). With -ε: at least."""
    with localcontext(prec=_DIGITS):
        chance, raised = _decimal(prior), _decimal(prior) * _decimal(epsilon).exp()
        return raised / (raised + 1 - chance)


def power(level: Fraction, epsilon: Fraction) -> Decimal:
    """How often a test can detect at most, when false alarms are this frequent: min(e^ε·a, 1 - e^-ε·(1 - a))."""
    with localcontext(prec=_DIGITS):
        alarm, growth = _decimal(level), _decimal(epsilon).exp()
        return min(growth * alarm, 1 - (1 - alarm) / growth)


def at_most_of_100(chance: Decimal) -> int:
    """A chance in whole cases of 100, rounded up."""
    return int((100 * chance).to_integral_value(ROUND_CEILING))


def at_least_of_100(chance: Decimal) -> int:
    """A chance in whole cases of 100, rounded down."""
    return int((100 * chance).to_integral_value(ROUND_FLOOR))


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
