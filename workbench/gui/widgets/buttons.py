"""Buttons: primary, plain, link and help, and one that says beside itself why it cannot be pressed."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QWidget

from workbench.gui import icons, theme
from workbench.gui.widgets.text import Text

_ICON_ROLES = {"primary": "on_accent", "link": "accent"}


class Button(QPushButton):
    """A push button in one of the window's kinds, with a focus ring set off from its edge."""

    def __init__(self, text: str, kind: str = "plain", icon: str = "", *, small: bool = False) -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self.setProperty("small", small)
        self.setAutoDefault(False)
        if icon:
            self.setIcon(icons.icon(icon, _ICON_ROLES.get(kind, "text")))
            self.setIconSize(QSize(22, 16))  # the extra width parts the icon from the words
        if kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self.property("kind") in ("primary", "plain"):
            self._paint_ring()

    def _paint_ring(self) -> None:
        is_primary = self.property("kind") == "primary"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("panel"), 1.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.75, 2.75, -2.75, -2.75), 3, 3)
        if not is_primary:
            painter.setPen(QPen(theme.color("control_border"), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5), 2, 2)
        painter.end()


def primary_button(text: str, icon: str = "", *, small: bool = False) -> Button:
    return Button(text, "primary", icon, small=small)


def plain_button(text: str, icon: str = "", *, small: bool = False) -> Button:
    return Button(text, "plain", icon, small=small)


def link_button(text: str, icon: str = "", *, small: bool = False) -> Button:
    return Button(text, "link", icon, small=small)


def unfolding_link(text: str, *, small: bool = False) -> Button:
    """A link that unfolds something while it is checked; its chevron says which."""
    link = Button(text, "link", "chevron-right", small=small)
    link.setCheckable(True)
    link.toggled.connect(lambda on: link.setIcon(icons.icon("chevron-down" if on else "chevron-right", "accent")))
    return link


class HelpButton(QAbstractButton):
    """The round "?"; filled while checked, as for the row that is being explained."""

    def __init__(self, name: str, *, checkable: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setCheckable(checkable)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedSize(24, 24)

    def sizeHint(self) -> QSize:
        return QSize(24, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        filled = self.isChecked() or self.isDown()
        edge = "accent" if filled or self.hasFocus() or self.underMouse() else "control_border"
        painter.setPen(QPen(theme.color(edge), 2 if self.hasFocus() else 1))
        painter.setBrush(theme.color("accent" if filled else "panel"))
        painter.drawEllipse(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5))
        painter.setPen(theme.color("on_accent" if filled else "accent"))
        painter.setFont(theme.font("bold"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "?")
        painter.end()


class ReasonedButton(QWidget):
    """A button that, while it is blocked, says what is missing beside itself and offers to go there."""

    clicked = Signal()
    fix_requested = Signal()

    def __init__(self, text: str, kind: str = "primary", icon: str = "") -> None:
        super().__init__()
        self.button = Button(text, kind, icon)
        self.button.clicked.connect(self.clicked)
        self._reason = Text("", "small_muted", wrap=True)
        self._reason.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fix = plain_button("Fix", small=True)
        self._fix.clicked.connect(self.fix_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._reason, 1)
        row.addWidget(self._fix)
        row.addWidget(self.button)
        self.set_blocked(None)

    def set_blocked(self, reason: str | None, *, fixable: bool = True) -> None:
        """Disable the button for a reason given in one sentence; None lets it be pressed."""
        self.button.setEnabled(reason is None)
        self.button.setAccessibleDescription(reason or "")
        self._reason.set_text(reason or "")
        self._fix.setVisible(reason is not None and fixable)
        self._fix.setAccessibleName(f"Fix: {reason}")

    def set_text(self, text: str) -> None:
        self.button.setText(text)

    def reason(self) -> str:
        return self._reason.text()

    def is_blocked(self) -> bool:
        return not self.button.isEnabled()
