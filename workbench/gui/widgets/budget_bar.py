"""Bars of shares: spent is solid, what this plan would spend is hatched, what remains is empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import theme

SPENT = "solid"
PLANNED = "hatched"
REMAINING = "empty"
EXACT = "striped"

Amount = str | int | Decimal | Fraction


@dataclass(frozen=True)
class Share:
    """A part of a bar: how much of the whole, and how it is filled."""

    part: float
    pattern: str


def paint_shares(painter: QPainter, rect: QRectF, shares: Sequence[Share]) -> None:
    """Draw a bar into any painter, also from a table's delegate."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = QPainterPath()
    frame.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    painter.fillPath(frame, theme.color("panel"))
    painter.setClipPath(frame)
    left = rect.left()
    for share in shares:
        width = rect.width() * min(max(share.part, 0.0), 1.0)
        paint_pattern(painter, QRectF(left, rect.top(), width, rect.height()), share.pattern)
        left += width
    painter.setClipping(False)
    painter.setPen(QPen(theme.color("control_border"), 1))
    painter.drawPath(frame)
    painter.restore()


def paint_pattern(painter: QPainter, rect: QRectF, pattern: str) -> None:
    if pattern == SPENT:
        painter.fillRect(rect, theme.color("accent"))
    elif pattern == PLANNED:
        _paint_strokes(
            painter, rect.adjusted(0, -2, 0, 2), QPen(theme.color("series_2"), 3.4), slant=rect.height() + 4, step=8
        )
    elif pattern == EXACT:
        _paint_strokes(painter, rect, QPen(theme.color("control_border"), 1.5), slant=0, step=4)


def _paint_strokes(painter: QPainter, rect: QRectF, pen: QPen, slant: float, step: float) -> None:
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    x = rect.left() - slant + step / 2
    while x < rect.right() + step:
        painter.drawLine(QLineF(x, rect.bottom(), x + slant, rect.top()))
        x += step
    painter.restore()


class ShareBar(QWidget):
    """A bar of shares of one whole; give it the sentence a screen reader should say."""

    def __init__(self, shares: Sequence[Share] = (), description: str = "", *, height: int = 15) -> None:
        super().__init__()
        self._shares: tuple[Share, ...] = ()
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_shares(shares, description)

    def set_shares(self, shares: Sequence[Share], description: str) -> None:
        self._shares = tuple(shares)
        self.setAccessibleName(description)
        self.setToolTip(description)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_shares(painter, QRectF(self.rect()), self._shares)
        painter.end()


class BudgetBar(ShareBar):
    """One account: spent, planned or reserved, and the cap, as exact amounts."""

    def __init__(self, *, height: int = 15) -> None:
        super().__init__(height=height)

    def set_values(self, spent: Amount, planned: Amount, cap: Amount, *, planned_words: str = "this plan") -> None:
        whole = Fraction(cap)
        after = whole - Fraction(spent) - Fraction(planned)
        words = f"{spent} of {cap} spent, {planned_words} {planned}, remaining {_decimal(after)}"
        self.set_shares(budget_shares(spent, planned, cap), words)


def budget_shares(spent: Amount, planned: Amount, cap: Amount) -> tuple[Share, ...]:
    whole = Fraction(cap)
    if whole <= 0:
        return ()
    return (Share(float(Fraction(spent) / whole), SPENT), Share(float(Fraction(planned) / whole), PLANNED))


def _decimal(amount: Fraction) -> str:
    return f"{Decimal(amount.numerator) / Decimal(amount.denominator):f}"


class Swatch(QWidget):
    """The small sample of a pattern or of a series colour that begins a legend row."""

    def __init__(self, pattern: str = SPENT, role: str = "") -> None:
        super().__init__()
        self._pattern = pattern
        self._role = role
        self.setFixedSize(12, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._role:
            painter.fillRect(QRectF(self.rect()), theme.color(self._role))
        else:
            painter.fillRect(box, theme.color("panel"))
            paint_pattern(painter, box, self._pattern)
            painter.setPen(QPen(theme.color("accent" if self._pattern == SPENT else "control_border"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 1.5, 1.5)
        painter.end()
