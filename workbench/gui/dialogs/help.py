"""Help in a window of its own: a page from resources/help, or the method sheet of a mechanism."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from workbench import assets


class HelpDialog(QDialog):
    """Shows one Markdown page and stays open beside the work."""

    def __init__(self, parent: QWidget, title: str, markdown: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(640, 560)
        page = QTextBrowser()
        page.setAccessibleName(title)
        page.setOpenExternalLinks(False)
        page.setMarkdown(markdown)
        page.document().setDocumentMargin(16)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(page)
        column.addWidget(buttons)


def show_page_help(parent: QWidget, name: str) -> None:
    """Help on a page: “Data” shows resources/help/data.md."""
    HelpDialog(parent, f"Help: {name}", assets.text("help", f"{name.lower()}.md")).show()


def show_method_sheet(parent: QWidget, mechanism: str) -> None:
    """The method sheet of a mechanism: statement, guarantee, proof sketch."""
    HelpDialog(parent, f"Method sheet: {mechanism}", assets.text("methods", f"{mechanism}.md")).show()
