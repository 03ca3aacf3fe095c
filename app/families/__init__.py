"""The pages of the families, one folder each: view, cards, charts, pictures, recorded runs."""

from gpucore.declarations import on_path

__path__ = on_path(__path__, "warplens", "app", "families")
