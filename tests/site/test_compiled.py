"""Compiled templates are shared by environments, and follow their sources."""

from jinja2 import DictLoader, Environment

from warplens.app.site.compiled import CompiledTemplates


def environment(compiled, sources, taken):
    """Return an environment that notes which templates it compiles."""
    made = Environment(loader=DictLoader(sources), bytecode_cache=compiled)
    compile_one = made.compile
    made.compile = lambda *args, **named: (taken.append(args[1]), compile_one(*args, **named))[1]
    return made


def test_a_template_is_compiled_once_for_all_environments():
    compiled, sources, taken = CompiledTemplates(), {"page": "{{ 6 * x }}"}, []
    for x in (7, 8):
        made = environment(compiled, sources, taken)
        assert made.get_template("page").render(x=x) == str(6 * x)
    assert taken == ["page"]
    sources["page"] = "{{ 5 * x }}"
    assert environment(compiled, sources, taken).get_template("page").render(x=7) == "35"
    assert taken == ["page", "page"]
