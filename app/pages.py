"""The pages of the site: each family declares its own.

A family with pages has a folder in :mod:`app.families` whose ``__init__.py`` declares ``PAGES``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gpucore.declarations import declarations, resolve
from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    import ipywidgets as w

    from .errors import Reporter
    from .view import View

#: The app's own name: "app" in a checkout, "warplens.app" where it is installed.
APP = __name__.rpartition(".")[0]
#: The package with one folder for each family.
PACKAGE = f"{APP}.families"
#: Packages of the app that declare a ``PAGE`` of no family.
SITE_PAGES = ("papers",)


class OpenPage(Protocol):
    """A page in its page process."""

    widget: w.Widget
    reporter: Reporter

    def start(self) -> None:
        """Begin the page's work: the page is shown."""

    def between(self, act: Callable[[], None]) -> None:
        """Act while no work in the background changes the page."""


@dataclass(frozen=True)
class Page:
    """One page of the site.

    Attributes
    ----------
    name : str
        Part of the address: ``/matching``.
    title, summary : str
        Texts on the landing page.
    order : int
        Sort key on the landing page and in the navigation.
    opens : str
        ``"module:CLASS"`` of the page, in the family's folder or with ``app.`` before it.
    arguments : tuple of str
        Arguments of the class.
    picture : str
        File in the family's folder that the landing page shows; pages in a menu have none.
    menu : str
        Menu of the navigation that holds the page; empty if the page is not in a menu.
    gallery : bool
        Whether the page opens the family's recorded runs.
    family : str
        Name of the family; set by :func:`find_pages`. Empty for a page of no family.
    package : str
        The app's package with the page's files, for a page of no family.
    """

    name: str
    title: str
    summary: str
    order: int
    opens: str
    arguments: tuple[str, ...] = ()
    picture: str = ""
    menu: str = ""
    gallery: bool = False
    family: str = ""
    package: str = ""

    @property
    def _home(self) -> str:
        """The full name of the package with the page's files."""
        return f"{PACKAGE}.{self.family}" if self.family else f"{APP}.{self.package}"

    @property
    def picture_path(self) -> Path | None:
        """The picture's file, or None if there is none."""
        path = _folder(self._home) / self.picture
        return path if self.picture and path.is_file() else None

    def load(self) -> OpenPage:
        """Import the class and make the page."""
        module = self.opens.removeprefix("app.")
        package = APP if module != self.opens else self._home
        return resolve(module, package)(*self.arguments)


@dataclass(frozen=True)
class FamilyPages:
    """The declaration of a family's pages.

    Attributes
    ----------
    name : str
        The family's name.
    view : str
        ``"module:NAME"`` of its :class:`app.view.View`.
    pages : tuple of Page
        Its pages.
    player : str
        JavaScript module that draws its states and events; a style sheet with the same stem may be
        beside it.
    questions: str
        ``"module:NAME"`` of its questions, see :mod:`app.stories.questions`; may be empty.
    """

    name: str
    view: str = "view:VIEW"
    pages: tuple[Page, ...] = ()
    player: str = "player.js"
    questions: str = ""


def dashboard(
    family: str, *, title: str, summary: str, order: int, picture: str = "page.svg"
) -> Page:
    """Return the page on which runs of a family play; its address is the family's name."""
    opens = "app.dashboard.page:Dashboard"
    return Page(family, title, summary, order, opens, (family,), picture, gallery=True)


def comparison(family: str, *, title: str, summary: str, order: int, name: str = "") -> Page:
    """Return the page on which runs of a family play side by side."""
    opens = "app.comparison.page:ComparePage"
    name = name or f"compare-{family}"
    return Page(name, title, summary, order, opens, (family,), menu="Compare")


def shown_families() -> dict[str, FamilyPages]:
    """Return the families that have pages."""
    return declarations(PACKAGE, "PAGES")


def folder_of(family: str) -> Path:
    """Return the folder of a family's pages."""
    return _folder(f"{PACKAGE}.{family}")


def _folder(package: str) -> Path:
    (place,) = import_module(package).__path__
    return Path(place)


def find_pages() -> dict[str, Page]:
    """Return all pages by name, in their order on the landing page."""
    found = [
        replace(page, family=name)
        for name, declared in shown_families().items()
        for page in declared.pages
    ]
    found += [import_module(f"{APP}.{name}").PAGE for name in SITE_PAGES]
    return {page.name: page for page in sorted(found, key=lambda page: (page.order, page.name))}


def get_view(family: str) -> View:
    """Return the view of a family, or raise ParameterError with the known ones."""
    known = shown_families()
    if family not in known:
        raise ParameterError(f"there is no page for {family!r}; there are {', '.join(known)}")
    return resolve(known[family].view, f"{PACKAGE}.{family}")


def views() -> dict[str, View]:
    """Return all views by family."""
    return {family: get_view(family) for family in shown_families()}
