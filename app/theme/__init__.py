"""The theme switch: light, dark or the system's colours, on pages and in exported replays."""

from pathlib import Path

FOLDER = Path(__file__).parent
#: The switch's script and its style sheet.
FILES = ("theme.js", "theme.css")
