"""Draws bidirectional text.

fpdf2 shapes Arabic letters well, but it supports two levels of direction only: a number inside an Arabic name in an
English document is placed on the wrong side. After a character from a fallback font it continues in that font with the
glyph ids of another. So runs are ordered and get their font here, one at a time.
"""

from collections.abc import Sequence, Set
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from fpdf import FPDF
from fpdf.bidi import BidiCharacter, BidiParagraph, auto_detect_base_direction
from fpdf.enums import TextDirection
from fpdf.fonts import TTFFont

from frontdesk.invoices.fonts import Face, Faces

PAGE_WIDTH, PAGE_HEIGHT, MARGIN = 210.0, 297.0, 16.0
WIDTH = PAGE_WIDTH - 2 * MARGIN
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u061c\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d\u202e"))
_MINUS, _HYPHEN = "\N{MINUS SIGN}", "-"
_LINE = 0.3528 * 1.5  # line height in millimetres per point of font size; Naskh needs it


class Style(NamedTuple):
    size: float
    bold: bool = False
    gray: int = 23


class Run(NamedTuple):
    text: str
    right_to_left: bool
    face: str


class Canvas:
    """Positions are measured from the start of the line: the left in English, the right in Arabic."""

    def __init__(self, faces: Faces, language: str, title: str, made_at: datetime, *, right_to_left: bool) -> None:
        self.right_to_left = right_to_left
        self._pdf = FPDF(format="A4")
        self._pdf.set_auto_page_break(False)
        self._pdf.c_margin = 0
        self._pdf.set_title(title)
        self._pdf.set_lang(language)
        self._pdf.set_creation_date(made_at)  # so that the same invoice always gives the same file
        self._letters = {name: self._add_face(name, face) for name, face in faces.named()}
        self._minus = _MINUS if any(ord(_MINUS) in letters for letters in self._letters.values()) else _HYPHEN
        self._widths: dict[tuple[Run, Style], float] = {}

    def _add_face(self, name: str, face: Face) -> Set[int]:
        """Returns the code points that the font has."""
        self._pdf.add_font(name, "", face.regular)
        self._pdf.add_font(name, "B", face.bold)
        font = self._pdf.fonts[name]
        return font.cmap.keys() if isinstance(font, TTFFont) else set()

    def add_page(self) -> None:
        self._pdf.add_page()

    @property
    def pages(self) -> int:
        return self._pdf.pages_count

    def turn_to(self, page: int) -> None:
        self._pdf.page = page
        self._pdf.set_font(size=1)  # otherwise fpdf assumes that this page has the font of the last one

    def bytes(self) -> bytes:
        written = bytes(self._pdf.output())
        for font in self._pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.close()
        return written

    def text(self, start: float, y: float, width: float, lines: Sequence[str], style: Style) -> float:
        """Draws lines from the start side of the page and returns their height."""
        height = line_height(style)
        for number, line in enumerate(lines):
            runs = self._runs(line, auto_detect_base_direction(line))
            left = self._left(start, width) + (width - self._width(runs, style) if self.right_to_left else 0)
            self._draw(left, y + number * height, runs, style)
        return height * len(lines)

    def figures(self, start: float, y: float, width: float, text: str, style: Style) -> None:
        """Draws a right-aligned number. The font size is reduced if it does not fit."""
        runs = self._runs(text, TextDirection.LTR)
        needed = self._width(runs, style)
        if needed > width:
            style = style._replace(size=style.size * width / needed)
            needed = self._width(runs, style)
        self._draw(self._left(start, width) + width - needed, y, runs, style)

    def wrap(self, text: str, width: float, style: Style) -> list[str]:
        text = " ".join(text.split())
        if self.width(text, style) <= width:
            return [text]
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer, style) <= width:
                lines[-1] = longer
            else:
                lines.extend(self._broken(word, width, style))
        return [line for line in lines if line]

    def width(self, text: str, style: Style) -> float:
        return self._width(self._runs(text, auto_detect_base_direction(text)), style)

    def rule(self, start: float, y: float, width: float, gray: int) -> None:
        self._pdf.set_draw_color(gray)
        self._pdf.set_line_width(0.2)
        left = self._left(start, width)
        self._pdf.line(left, y, left + width, y)

    def squares(self, start: float, y: float, width: float, matrix: Sequence[Sequence[int]]) -> None:
        """Draws adjacent dark modules of a row as one rectangle, so that viewers show no gaps."""
        side, left = width / len(matrix), self._left(start, width)
        self._pdf.set_fill_color(0)
        for number, row in enumerate(matrix):
            column = 0
            for dark, modules in groupby(row):
                length = len(list(modules))
                if dark:
                    self._pdf.rect(left + column * side, y + number * side, length * side, side * 1.02, style="F")
                column += length

    def _left(self, start: float, width: float) -> float:
        return PAGE_WIDTH - MARGIN - start - width if self.right_to_left else MARGIN + start

    def _runs(self, text: str, direction: TextDirection) -> list[Run]:
        """Splits the text into runs of one direction and font, in visual order."""
        letters = BidiParagraph(text.replace(_MINUS, self._minus), direction).get_reordered_characters()
        runs = []
        for (level, face), group in groupby(letters, key=self._setting):
            shown = "".join(letter.character for letter in group).translate(_INVISIBLE)
            if shown:
                runs.append(Run(shown[::-1] if level % 2 else shown, level % 2 == 1, face))
        return runs

    def _setting(self, letter: BidiCharacter) -> tuple[int, str]:
        level = letter.embedding_level
        candidates = ("arabic", "latin", "fallback") if level % 2 else ("latin", "arabic", "fallback")
        code = ord(letter.character)
        return level, next((face for face in candidates if code in self._letters.get(face, ())), candidates[0])

    def _width(self, runs: Sequence[Run], style: Style) -> float:
        return sum(self._run_width(run, style) for run in runs)

    def _run_width(self, run: Run, style: Style) -> float:
        known = self._widths.get((run, style))
        if known is None:
            self._choose(run, style)
            known = self._widths[run, style] = self._pdf.get_string_width(run.text)
        return known

    def _choose(self, run: Run, style: Style) -> None:
        self._pdf.set_font(run.face, "B" if style.bold else "", style.size)
        self._pdf.set_text_shaping(True, direction="rtl" if run.right_to_left else "ltr")

    def _draw(self, left: float, y: float, runs: Sequence[Run], style: Style) -> None:
        self._pdf.set_text_color(style.gray)
        for run in runs:
            width = self._run_width(run, style)
            self._choose(run, style)
            self._pdf.set_xy(left, y)
            self._pdf.cell(width, line_height(style), run.text)
            left += width

    def _broken(self, word: str, width: float, style: Style) -> list[str]:
        """Splits a word that is longer than a line."""
        pieces = [""]
        for letter in word:
            if pieces[-1] and self.width(pieces[-1] + letter, style) > width:
                pieces.append("")
            pieces[-1] += letter
        return pieces


def line_height(style: Style) -> float:
    return style.size * _LINE
