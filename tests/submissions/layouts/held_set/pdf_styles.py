"""PDF by three libraries: ReportLab, fpdf2 and WeasyPrint. Points from millimeters; light felt, dark ink."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path

from fpdf import FPDF
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from weasyprint import HTML
from weasyprint.text.fonts import FontConfiguration

from tests.submissions.layouts.held_set.composition import HIGH, WIDE, Figure, Item
from tests.submissions.layouts.held_set.outlines import SANS

POINT = 72 / 25.4  # in a millimeter
FELT, INK = (0.93, 0.96, 0.92), (0.08, 0.08, 0.1)
Color = tuple[float, float, float]


@cache
def _registered(file: Path) -> str:
    pdfmetrics.registerFont(TTFont(file.stem, file))
    return file.stem


def report_lab(items: Sequence[Item], font: Path = SANS, felt: Color = FELT, ink: Color = INK) -> bytes:
    """Counted from below, as PDF does."""
    kept = io.BytesIO()
    canvas = Canvas(kept, pagesize=(WIDE * POINT, HIGH * POINT), invariant=True)
    canvas.scale(POINT, POINT)
    canvas.setFillColorRGB(*felt)
    canvas.rect(0, 0, WIDE, HIGH, stroke=0, fill=1)
    canvas.setStrokeColorRGB(*ink)
    canvas.setLineWidth(2)
    for item in items:
        if isinstance(item, Figure):
            low = HIGH - item.top - item.high
            if item.round:
                canvas.ellipse(item.left, low, item.left + item.wide, low + item.high)
            else:
                canvas.roundRect(item.left, low, item.wide, item.high, 6)
            continue
        canvas.setFillColorRGB(*(felt if item.hidden else ink))
        canvas.setFont(_registered(font), item.size)
        draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
        draw[item.anchor](item.x, HIGH - item.y, item.text)
    canvas.save()
    return kept.getvalue()


def fpdf2(items: Sequence[Item]) -> bytes:
    paper = FPDF(unit="mm", format=(HIGH, WIDE), orientation="L")
    paper.set_margin(0)
    paper.set_auto_page_break(False)
    paper.add_page()
    paper.add_font("sans", fname=SANS)
    paper.set_fill_color(*(round(255 * part) for part in FELT))
    paper.rect(0, 0, WIDE, HIGH, style="F")
    paper.set_draw_color(*(round(255 * part) for part in INK))
    paper.set_line_width(2)
    for item in items:
        if isinstance(item, Figure):
            draw = paper.ellipse if item.round else paper.rect
            draw(item.left, item.top, item.wide, item.high)
            continue
        paper.set_text_color(*(round(255 * part) for part in (FELT if item.hidden else INK)))
        paper.set_font("sans", size=item.size * POINT)
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor]
        paper.text(item.x - share * paper.get_string_width(item.text), item.y, item.text)
    return bytes(paper.output())


def weasy_print(items: Sequence[Item]) -> bytes:
    """Boxes of a web page, each at its place."""
    rules = f"""
      @page {{ size: {WIDE}mm {HIGH}mm; margin: 0; background: {_css(FELT)} }}
      body {{ margin: 0; font-family: "DejaVu Sans" }}
      div {{ position: absolute; box-sizing: border-box; white-space: nowrap; line-height: 1 }}
      .area {{ border: 2mm solid {_css(INK)} }}
    """
    parts = []
    for item in items:
        if isinstance(item, Figure):
            place = f"left:{item.left}mm;top:{item.top}mm;width:{item.wide}mm;height:{item.high}mm"
            parts.append(f'<div class="area" style="{place};border-radius:{"50%" if item.round else "6mm"}"></div>')
            continue
        left = item.x - {"start": 0.0, "middle": 400.0, "end": 800.0}[item.anchor]
        align = {"start": "left", "middle": "center", "end": "right"}[item.anchor]
        place = f"left:{left}mm;top:{item.y - item.size * 0.86:.2f}mm;width:800mm;text-align:{align}"
        color = _css(FELT if item.hidden else INK)
        parts.append(f'<div style="{place};font-size:{item.size * 0.9:.2f}mm;color:{color}">{escape(item.text)}</div>')
    page = f"<html><style>{rules}</style><body>{''.join(parts)}</body></html>"
    return bytes(HTML(string=page).write_pdf(font_config=FontConfiguration()))


def _css(color: Color) -> str:
    return f"rgb({', '.join(str(round(255 * part)) for part in color)})"


STYLES: dict[str, Callable[[Sequence[Item]], bytes]] = {
    "PDF ReportLab": report_lab,
    "PDF fpdf2": fpdf2,
    "PDF WeasyPrint": weasy_print,
}
