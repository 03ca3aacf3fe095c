"""How the families are shown, one folder each: view, cards, charts, pictures, recorded runs."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
