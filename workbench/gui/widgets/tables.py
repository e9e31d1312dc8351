"""Tables in the window's look: the view, the roles a model may answer, and how such cells are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.gui import icons, theme
from workbench.gui.widgets.corners import RoundedCorners
from workbench.gui.widgets.status import State

NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
"""What a model answers for TextAlignmentRole of a column of numbers."""

WORDS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def header_alignment(alignment: Qt.AlignmentFlag) -> int:
    """What a model answers for TextAlignmentRole of a header, so that long headers may wrap."""
    return alignment.value | Qt.TextFlag.TextWordWrap.value


_PADDING = 8
_ROWS_MEASURED = 200


class Rows(IntEnum):
    """Row heights in pixels at 100 %."""

    GRID = 25
    PLAIN = 30
    CONTROLS = 38
    TWO_LINES = 52


class CellRole(IntEnum):
    """What a model may answer beside Qt's own roles; all optional."""

    SECOND_LINE = Qt.ItemDataRole.UserRole + 101  # str: muted words under the text
    STATE = Qt.ItemDataRole.UserRole + 102  # State: its icon before the text, its colour on it
    FLAGGED = Qt.ItemDataRole.UserRole + 103  # True: outlined, with a triangle
    MUTED = Qt.ItemDataRole.UserRole + 104  # True: muted text
    BOLD = Qt.ItemDataRole.UserRole + 105  # True: weight 600
    ICON = Qt.ItemDataRole.UserRole + 106  # str: an icon's name, before the text
    TAG = Qt.ItemDataRole.UserRole + 107  # str: a small tag at the right end


class CellDelegate(QStyledItemDelegate):
    """Draws a cell by the CellRole answers of its model."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        opt = QStyleOptionViewItem(option)
        self.initStyleOption(opt, index)
        if not _is_rich(index) or opt.features & QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator:
            super().paint(painter, option, index)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        opt.widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, opt, painter, opt.widget)
        if index.data(CellRole.FLAGGED):
            _paint_flag(painter, opt.rect)
        room = _paint_icon(painter, opt.rect.adjusted(_PADDING, 0, -_PADDING, 0), index)
        room = _paint_tag(painter, room, index)
        _paint_lines(painter, room, opt, index)
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if index.data(CellRole.BOLD):
            option.font.setWeight(QFont.Weight.DemiBold)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        opt = QStyleOptionViewItem(option)
        self.initStyleOption(opt, index)
        metrics = QFontMetrics(opt.font)
        width = metrics.horizontalAdvance(_shown_text(opt.text, index)) + 2 * _PADDING + 1
        second = index.data(CellRole.SECOND_LINE)
        if second:
            width = max(width, QFontMetrics(theme.font("small")).horizontalAdvance(second) + 2 * _PADDING + 1)
        if index.data(CellRole.STATE) or index.data(CellRole.ICON):
            width += theme.scaled(16) + 6
        tag = index.data(CellRole.TAG)
        if tag:
            width += _tag_width(tag) + 8
        return QSize(width, super().sizeHint(option, index).height())


_RICH_ROLES = (
    CellRole.STATE,
    CellRole.SECOND_LINE,
    CellRole.FLAGGED,
    CellRole.MUTED,
    CellRole.ICON,
    CellRole.TAG,
)


def _is_rich(index: QModelIndex | QPersistentModelIndex) -> bool:
    return any(index.data(role) for role in _RICH_ROLES)


def _shown_text(text: str, index: QModelIndex | QPersistentModelIndex) -> str:
    return f"▲ {text}" if index.data(CellRole.FLAGGED) else text


def _paint_flag(painter: QPainter, rect: QRect) -> None:
    painter.fillRect(rect, theme.color("warn_soft"))
    painter.setPen(QPen(theme.color("warn"), 2))
    painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -1))


def _paint_icon(painter: QPainter, room: QRect, index: QModelIndex | QPersistentModelIndex) -> QRect:
    state = index.data(CellRole.STATE)
    name = state.icon if isinstance(state, State) else index.data(CellRole.ICON)
    if not name:
        return room
    side = theme.scaled(16)
    role = state.role if isinstance(state, State) else "text"
    top = room.center().y() - side / 2 + 0.5
    if index.data(CellRole.SECOND_LINE):
        top = room.center().y() - side
    icons.paint_icon(painter, name, role, QRectF(room.left(), top, side, side))
    return room.adjusted(side + 6, 0, 0, 0)


def _tag_width(tag: str) -> int:
    return QFontMetrics(theme.font("tiny_bold")).horizontalAdvance(tag) + 14


def _paint_tag(painter: QPainter, room: QRect, index: QModelIndex | QPersistentModelIndex) -> QRect:
    tag = index.data(CellRole.TAG)
    if not tag:
        return room
    font = theme.font("tiny_bold")
    height = QFontMetrics(font).height() + 1
    width = _tag_width(tag)
    box = QRectF(room.right() - width + 1, room.center().y() - height / 2 + 0.5, width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("soft"))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.color("accent"))
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tag)
    return room.adjusted(0, 0, -width - 6, 0)


def _paint_lines(
    painter: QPainter, room: QRect, opt: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
) -> None:
    state = index.data(CellRole.STATE)
    ink = state.role if isinstance(state, State) else "muted" if index.data(CellRole.MUTED) else "text"
    sideways = opt.displayAlignment & Qt.AlignmentFlag.AlignHorizontal_Mask
    second = index.data(CellRole.SECOND_LINE)
    metrics = QFontMetrics(opt.font)
    painter.setFont(opt.font)
    painter.setPen(theme.color(ink))
    text = metrics.elidedText(_shown_text(opt.text, index), opt.textElideMode, room.width())
    if not second:
        painter.drawText(room, sideways | Qt.AlignmentFlag.AlignVCenter, text)
        return
    small = theme.font("small")
    below = QFontMetrics(small)
    top = room.center().y() - (metrics.height() + below.height()) // 2 + 1
    painter.drawText(QRect(room.left(), top, room.width(), metrics.height()), sideways, text)
    painter.setFont(small)
    painter.setPen(theme.color("muted"))
    under = QRect(room.left(), top + metrics.height(), room.width(), below.height())
    painter.drawText(under, sideways, below.elidedText(second, opt.textElideMode, room.width()))


class TableView(QTableView):
    """`inside` drops the frame, for a table within a card; Ctrl+C copies the selection for a spreadsheet."""

    def __init__(self, name: str, rows: Rows = Rows.PLAIN, *, inside: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("inside", inside)
        self._spare: tuple[int, ...] = ()
        self._fits = False
        self._contents: list[int] = []
        self._takers: tuple[int, ...] = ()
        self._rows = rows
        self._set_up_look()
        self._take_text_size()
        theme.current.changed.connect(self._take_text_size)
        if rows is not Rows.GRID:
            self.setItemDelegate(CellDelegate(self))
        if inside:
            self.setFrameShape(QFrame.Shape.NoFrame)
        else:
            RoundedCorners(self)

    def _set_up_look(self) -> None:
        self.setAlternatingRowColors(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        across = self.horizontalHeader()
        across.setHighlightSections(False)
        across.setDefaultAlignment(WORDS)
        across.setResizeContentsPrecision(_ROWS_MEASURED)
        across.setMinimumSectionSize(28)
        down = self.verticalHeader()
        down.setVisible(False)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setDefaultAlignment(NUMBER)

    def _take_text_size(self) -> None:
        self.horizontalHeader().setFixedHeight(theme.scaled(28 if self._rows is Rows.GRID else 32))
        self.verticalHeader().setDefaultSectionSize(theme.scaled(int(self._rows)))
        if self._fits:
            self.fit_columns(self._spare)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if self._fits:
            self.fit_columns(self._spare)

    def fit_columns(self, spare: Sequence[int] = ()) -> None:
        """Widen columns to their words and share out the spare room, now and whenever the table is resized.

        The columns named in `spare` take what is left over; without names, every column of words does. Headers
        break between words before the table scrolls sideways. Call it again when the contents have changed.
        """
        self._fits = True
        self._spare = tuple(spare)
        if self.model() is not None:
            columns = range(self.model().columnCount())
            self._contents = [self.sizeHintForColumn(column) for column in columns]
            self._takers = self._spare or self._columns_of_words()
            self._share_out()

    def _share_out(self) -> None:
        natural = self._widths(_whole)
        room = self.viewport().width() + 1  # the last line lies under the frame
        widths = natural
        if sum(natural) > room:
            widths = _between(self._widths(_longest_word), natural, room)
        elif self._takers:
            widths = _widened(natural, self._takers, room)
        for column, width in enumerate(widths):
            if not self.isColumnHidden(column):
                self.setColumnWidth(column, width)
        self._fit_header(widths)
        scrolls = sum(widths) > room
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.updateGeometry()

    def _widths(self, part: Callable[[QFontMetrics, str], int]) -> list[int]:
        """What each column needs for its words and its header; one that is left out needs nothing."""
        pairs = zip(self._contents, self._header_widths(part), strict=True)
        return [0 if self.isColumnHidden(column) else max(pair) + 1 for column, pair in enumerate(pairs)]

    def _headers(self) -> list[str]:
        model = self.model()
        columns = range(model.columnCount())
        return [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]

    def _header_widths(self, part: Callable[[QFontMetrics, str], int]) -> list[int]:
        metrics = QFontMetrics(theme.font("table_bold"))
        least = self.horizontalHeader().minimumSectionSize()
        return [max(part(metrics, words) + 2 * _PADDING + 2, least) for words in self._headers()]

    def _fit_header(self, widths: Sequence[int]) -> None:
        """As high as the header that wraps into most lines."""
        metrics = QFontMetrics(theme.font("table_bold"))
        wrapped = (
            metrics.boundingRect(0, 0, width - 2 * _PADDING, 1000, Qt.TextFlag.TextWordWrap, words).height()
            for words, width in zip(self._headers(), widths, strict=True)
            if width
        )
        usual = theme.scaled(28 if self._rows is Rows.GRID else 32)
        self.horizontalHeader().setFixedHeight(max(usual, max(wrapped, default=0) + 8))

    def _columns_of_words(self) -> tuple[int, ...]:
        model = self.model()
        columns = tuple(range(model.columnCount()))
        if model.rowCount() == 0:
            return columns
        alignments = (model.index(0, column).data(Qt.ItemDataRole.TextAlignmentRole) for column in columns)
        words = tuple(column for column, align in zip(columns, alignments, strict=True) if not _is_right(align))
        return words or columns

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._fits:
            self.fit_columns(self._spare)  # only now are the fonts those of the style sheet

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        same_columns = self.model() is not None and len(self._contents) == self.model().columnCount()
        if self._fits and same_columns and event.size().width() != event.oldSize().width():
            self._share_out()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        else:
            super().keyPressEvent(event)

    def selected_text(self) -> str:
        """The selected cells as tab-separated lines."""
        chosen = sorted(self.selectedIndexes(), key=lambda index: (index.row(), index.column()))
        lines: dict[int, list[str]] = {}
        for index in chosen:
            lines.setdefault(index.row(), []).append(_copied(index))
        return "\n".join("\t".join(cells) for cells in lines.values())

    def put_widget(self, row: int, column: int, widget: QWidget) -> None:
        """Set a control into a cell, with the margins a control needs there."""
        self.setIndexWidget(self.model().index(row, column), widget)


def _whole(metrics: QFontMetrics, words: str) -> int:
    return metrics.horizontalAdvance(words)


def _longest_word(metrics: QFontMetrics, words: str) -> int:
    return max((metrics.horizontalAdvance(word) for word in words.split()), default=0)


def _widened(natural: Sequence[int], takers: Sequence[int], room: int) -> list[int]:
    """The natural widths with the spare room shared evenly among the takers."""
    share, rest = divmod(room - sum(natural), len(takers))
    extra = {column: share + (1 if place < rest else 0) for place, column in enumerate(takers)}
    return [width + extra.get(column, 0) for column, width in enumerate(natural)]


def _between(least: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room, each grown from its least toward its natural width in the same proportion."""
    wanted = sum(natural) - sum(least)
    spare = room - sum(least)
    if spare <= 0 or wanted <= 0:
        return list(least)
    grown = [low + (high - low) * spare // wanted for low, high in zip(least, natural, strict=True)]
    grown[-1] += room - sum(grown)
    return grown


def _is_right(alignment: object) -> bool:
    if alignment is None:
        return False
    return bool(Qt.AlignmentFlag(int(alignment)) & Qt.AlignmentFlag.AlignRight)  # type: ignore[call-overload]


def _copied(index: QModelIndex) -> str:
    value = index.data(Qt.ItemDataRole.DisplayRole)
    return "" if value is None else str(value).replace("\t", " ").replace("\n", " ")
