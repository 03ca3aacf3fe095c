"""The stories that come with the families, found like the gallery's records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gpucore.declarations import resolve
from gpucore.errors import ParameterError

from ..pages import PACKAGE, find_pages, folder_of, shown_families
from .format import Story, parse_story
from .questions import COMMON, Makers


@dataclass(frozen=True)
class Shipped:
    """A story of a family.

    Attributes
    ----------
    name : str
        Name of its file without the ending; part of the address.
    family : str
        Family whose page shows it.
    story : Story
    """

    name: str
    family: str
    story: Story


@cache
def stories() -> dict[str, Shipped]:
    """Return all stories by name: families in the order of their pages, files by their names.

    Raises
    ------
    RuntimeError
        Two stories have the same name.
    ParameterError
        A file is no story.
    """
    found: dict[str, Shipped] = {}
    for family in _families():
        for path in _files(family):
            if path.stem in found:
                raise RuntimeError(f"two stories are called {path.stem!r}")
            story = parse_story(path.read_text(encoding="utf-8"), path.name)
            found[path.stem] = Shipped(path.stem, family, story)
    return found


def shipped(name: str) -> Shipped:
    """Return the story called `name`, or raise ParameterError."""
    try:
        return stories()[name]
    except KeyError:
        raise ParameterError(
            f"there is no story {name[:60]!r}; the landing page lists those there are"
        ) from None


def first_story() -> Shipped | None:
    """Return the story with which the landing page begins, or None."""
    return next((one for one in stories().values() if one.story.first), None)


def questions_of(family: str) -> Makers:
    """Return the questions of a family; without its own, those that all have."""
    declared = shown_families()[family].questions
    if not declared:
        return COMMON
    return resolve(declared, f"{PACKAGE}.{family}")


def _families() -> list[str]:
    """Return the families whose pages open records, in the order of their pages."""
    return list(dict.fromkeys(page.family for page in find_pages().values() if page.gallery))


def _files(family: str) -> list[Path]:
    folder = folder_of(family) / "stories"
    return sorted(path for path in folder.glob("*") if path.suffix in (".toml", ".json"))
