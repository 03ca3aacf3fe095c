"""The header's navigation: dashboards by themselves, comparisons in a menu."""

from warplens.app.pages import find_pages
from warplens.app.site.assets import build


def test_comparisons_stand_in_a_menu(tmp_path):
    pages = find_pages()
    comparisons = [
        page
        for page in pages.values()
        if page.name.startswith("compare") or page.name == "equivalence"
    ]
    assert {page.menu for page in comparisons} == {"Compare"}
    assert not any(page.menu for page in pages.values() if page not in comparisons)


def test_the_template_knows_every_page(tmp_path):
    template = build(tmp_path)
    navigation = (template / "dashboards.html").read_text()
    assert all(f'"{name}"' in navigation for name in find_pages())
