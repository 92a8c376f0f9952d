"""Where the marks of a plot are: x in percent of its width, y in pixels, so that text never scales.

In a page that runs from right to left, everything along the line is mirrored.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

TOP, BASE, HEIGHT = 12, 166, 190
_MAX_LABELS = 8
_LABEL_LENGTH = 14
_STEPS = (1, 2, 5, 10)


class Rect(NamedTuple):
    css: str
    x: str
    width: str
    y: str
    height: str
    title: str


class Label(NamedTuple):
    x: str
    y: str
    text: str


class ColumnPlot(NamedTuple):
    grid: Sequence[Label]
    bars: Sequence[Rect]
    labels: Sequence[Label]
    line: str  # the points of what is compared with, in percent of both sides
    base: str  # the y of zero


class BarRow(NamedTuple):
    label: str
    value: str
    y: int
    track: Rect
    bar: Rect


class BarPlot(NamedTuple):
    rows: Sequence[BarRow]
    height: int


class HeatPlot(NamedTuple):
    rows: Sequence[Label]
    cells: Sequence[Rect]
    labels: Sequence[Label]
    height: int


class Draw:
    def __init__(self, *, rtl: bool) -> None:
        self._rtl = rtl

    def columns(
        self,
        values: Sequence[Decimal],
        before: Sequence[Decimal],
        names: Sequence[str],
        titles: Sequence[str],
        show: Callable[[Decimal], str],
    ) -> ColumnPlot:
        step, low, high = _scale([*values, *before, Decimal(0)])
        height = (BASE - TOP) / float(high - low or 1)

        def y(value: Decimal) -> float:
            return BASE - float(value - low) * height

        wide = 100 / max(len(values), 1)
        bars = [
            self._rect("chart-bar", n * wide + wide * 0.16, wide * 0.68, *_between(y(value), y(Decimal(0))), title)
            for n, (value, title) in enumerate(zip(values, titles, strict=True))
            if value
        ]
        every = max(1, -(-len(names) // _MAX_LABELS))
        labels = [Label(self._at(n * wide + wide / 2), "184", name) for n, name in enumerate(names) if n % every == 0]
        count = int((high - low) / step) if step else 0
        ticks = [low + step * n for n in range(count + 1)]
        grid = [Label("", f"{y(tick):.1f}", show(tick)) for tick in ticks]
        line = " ".join(
            f"{self._x(n * wide + wide / 2):.2f},{(y(value) - TOP) / (BASE - TOP) * 100:.1f}"
            for n, value in enumerate(before[: len(values)])
        )
        return ColumnPlot(grid, bars, labels, line, f"{y(Decimal(0)):.1f}")

    def bars(self, rows: Sequence[tuple[str, str, Decimal, Decimal | None]]) -> BarPlot:
        """Each with its name, what is said about it, its value, and the whole that it is a part of."""
        most = max([whole if whole is not None else value for _, _, value, whole in rows], default=Decimal(0))
        drawn = []
        for n, (name, said, value, whole) in enumerate(rows):
            y = n * 50
            track = 100 if whole is None else _share(whole, most)
            bar = self._rect("chart-bar", 0, _share(value, most), y + 20, 12, "")
            drawn.append(
                BarRow(
                    name,
                    said,
                    y,
                    self._rect("track", 0, track, y + 20, 12, ""),
                    bar,
                )
            )
        return BarPlot(drawn, max(len(rows) * 50 - 8, 0))

    def heat(
        self, rows: Sequence[tuple[str, Sequence[tuple[int | None, str]]]], columns: Sequence[str], tall: int
    ) -> HeatPlot:
        """A cell without a percentage is outside working hours."""
        wide = 100 / max(len(columns), 1)
        cells = [
            self._rect(_shade(percent), n * wide + 0.3, wide - 0.6, row * (tall + 4), tall, title)
            for row, (_, shares) in enumerate(rows)
            for n, (percent, title) in enumerate(shares)
        ]
        bottom = len(rows) * (tall + 4)
        return HeatPlot(
            [Label("", f"{row * (tall + 4) + tall / 2 + 4:.0f}", _short(name)) for row, (name, _) in enumerate(rows)],
            cells,
            [Label(self._at(n * wide + wide / 2), f"{bottom + 14}", name) for n, name in enumerate(columns)],
            bottom + 20,
        )

    def _x(self, x: float) -> float:
        return 100 - x if self._rtl else x

    def _at(self, x: float) -> str:
        return f"{self._x(x):.2f}%"

    def _rect(self, css: str, x: float, width: float, y: float, height: float, title: str) -> Rect:
        left = 100 - x - width if self._rtl else x
        return Rect(css, f"{left:.2f}%", f"{width:.2f}%", f"{y:.1f}", f"{height:.1f}", title)


def _between(one: float, other: float) -> tuple[float, float]:
    return min(one, other), max(abs(one - other), 1)


def _share(value: Decimal, most: Decimal) -> float:
    return max(0.0, min(100.0, float(value / most * 100))) if most > 0 else 0.0


def _short(name: str) -> str:
    """The first words that have room beside the plot; a tooltip shows the whole name."""
    shown = name if len(name) <= _LABEL_LENGTH else name.split(maxsplit=1)[0]
    return shown if len(shown) <= _LABEL_LENGTH else f"{shown[: _LABEL_LENGTH - 1]}…"


def _shade(percent: int | None) -> str:
    """Five steps, and nothing."""
    return "heat-none" if percent is None else f"heat-{min(5, -(-percent // 20))}"


def _scale(values: Sequence[Decimal]) -> tuple[Decimal, Decimal, Decimal]:
    """A step of 1, 2 or 5 that divides the range into at most four, and the ends of the range."""
    low, high = min(values), max(values)
    rough = (high - low) / 3
    if not rough:
        return Decimal(1), Decimal(0), Decimal(1)
    power = Decimal(10) ** rough.adjusted()
    step = max(Decimal(1), next(power * n for n in _STEPS if power * n >= rough))  # counts are whole numbers
    below, above = -(-low // step) * step, high // step * step  # towards zero
    return step, below - (step if low < below else 0), above + (step if high > above else 0)
