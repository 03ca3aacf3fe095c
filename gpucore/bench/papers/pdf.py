"""Figures as PDF files, made of the SVG drawings by svglib and ReportLab (extra "pdf")."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from gpucore.installing import install_hint


def available() -> str | None:
    """Return None if PDF files can be written here, else how to get what is missing."""
    if all(find_spec(package) for package in ("svglib", "reportlab")):
        return None
    return f"PDF files need svglib; get it with: {install_hint('pdf')}"


def figure_pdf(title: str, drawings: Sequence[str]) -> bytes:
    """Return a PDF file with a page for each drawing; equal drawings make equal files.

    Parameters
    ----------
    title : str
        Title of the document.
    drawings : sequence of str
        SVG texts. Their light colours are used.

    Raises
    ------
    ImportError
        If :func:`available` has a reason.
    """
    from reportlab.graphics import renderPDF
    from reportlab.pdfgen.canvas import Canvas
    from svglib.svglib import svg2rlg

    file = BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.setTitle(title)
    for text in drawings:
        drawing: Any = svg2rlg(BytesIO(text.encode()))
        canvas.setPageSize((drawing.width, drawing.height))
        renderPDF.draw(drawing, canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
