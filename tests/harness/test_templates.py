"""Templates give native values, and there is no way out of them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import TemplateError
from famulus_kernel.harness.templates import MAX_OUTPUT, references, render

VALUES: dict[str, dict[str, Any]] = {
    "inputs": {
        "liste": [3, 1],
        "zeichen": "007",
        "none": "None",
        "karte": {"items": 5, "a b": 6, "__class__": "held", "_geheim": 7},
        "lang": "x" * 100_000,
        "nichts": None,
        "wahr": True,
    },
    "stages": {"zahl": {"rows": [{"n": 4}], "answer": "vier"}, "ausgelassen": None},
}


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("{{ inputs.liste }}", [3, 1]),
        ("{{ inputs.zeichen }}", "007"),
        ("{{ inputs.none }}", "None"),
        (" {{ inputs.liste }}\n", [3, 1]),
        ("{{ inputs.zeichen if inputs.wahr else 1 }}\n", "007"),
        ("{{ stages.zahl.rows[0].n }}", 4),
        ("{{ stages.zahl['rows'][-1]['n'] }}", 4),
        ("{{ inputs.karte.items }}", 5),
        ("{{ inputs.karte['a b'] }}", 6),
        ("{{ stages.ausgelassen.rows[0].n }}", None),
        ("{{ stages.ausgelassen.answer or stages.zahl.answer }}", "vier"),
        ("{{ inputs.nichts | default(2) }}", 2),
        ("{{ inputs.liste | length }}", 2),
        ("{{ inputs.liste | join(', ') }}", "3, 1"),
        ("{{ inputs.liste | tojson }}", "[3, 1]"),
        ("{{ [inputs.zeichen, -1, false] }}", ["007", -1, False]),
        ("{{ 3 in inputs.liste and not inputs.nichts }}", True),
        ("{{ false }}", False),
        ("es sind {{ stages.zahl.rows[0].n }}{{ inputs.nichts }}.", "es sind 4."),
        ("{% raw %} {# {{ '{{' }} #}\n", "{% raw %} {# {{ #}\n"),
        ("kein Muster }}", "kein Muster }}"),
        ({"a": ["{{ inputs.zeichen }}", 1]}, {"a": ["007", 1]}),
    ],
)
def test_a_template_gives_the_value_itself_and_a_text_with_templates_gives_text(template: Any, value: Any) -> None:
    found = render(template, VALUES)
    assert (found, type(found)) == (value, type(value))


ESCAPES = [
    "{{ inputs.liste.__class__ }}",
    "{{ inputs.karte.__class__ }}",
    "{{ inputs.karte['__class__'] }}",
    "{{ inputs.karte._geheim }}",
    "{{ inputs['__init__'] }}",
    "{{ inputs.liste.append }}",
    "{{ inputs.liste.append(1) }}",
    "{{ inputs.zeichen.upper() }}",
    "{{ inputs.zeichen.format(1) }}",
    "{{ '%s' % inputs.zeichen }}",
    "{{ '{0.__class__}'.format(inputs.zeichen) }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ().__class__.__bases__[0] }}",
    "{{ inputs.zeichen | attr('__class__') }}",
    "{{ inputs.liste | map(attribute='__class__') | list }}",
    "{{ inputs.liste | map('attr', '__class__') }}",
    "{{ inputs.liste | selectattr('__class__') }}",
    "{{ inputs.liste | groupby('__class__') }}",
    "{{ inputs.liste | sort(attribute='__class__') }}",
    "{{ inputs.liste | join(attribute='__class__') }}",
    "{{ inputs.liste | join(*inputs.liste) }}",
    "{{ inputs.liste | xmlattr }}",
    "{{ inputs.zeichen | pprint }}",
    "{{ self }}",
    "{{ self._TemplateReference__context }}",
    "{{ self.__init__.__globals__ }}",
    "{{ config }}",
    "{{ request }}",
    "{{ cycler.__init__.__globals__.os }}",
    "{{ lipsum.__globals__['os'] }}",
    "{{ joiner }}",
    "{{ namespace() }}",
    "{{ range(10) }}",
    "{{ dict(a=1) }}",
    "{{ get_flashed_messages.__globals__ }}",
    "{{ url_for }}",
    "{{ inputs }}",
    "{{ stages }}",
    "{{ inputs[inputs.zeichen] }}",
    "{{ inputs['lis' ~ 'te'] }}",
    "{{ inputs.karte['__cla' 'ss__'] }}",
    "{{ inputs.karte['\\x5f\\x5fclass\\x5f\\x5f'] }}",
    "{{ inputs.zeichen is callable }}",
    "{{ inputs.liste[0:1] }}",
    "{{ inputs.liste[10] }}",
    "{{ inputs.gibt_es_nicht }}",
    "{{ stages.gibt_es_nicht }}",
    "{{ inputs.zeichen ~ inputs.zeichen }}",
    "{{ 'x' * 1000000000 }}",
    "{{ 9 ** 9 ** 9 }}",
    "{{ 1 / 0 }}",
    "{{ inputs.zeichen < 1 }}",
    "{{ 'a' | join('b') }}",
    "{{ inputs.lang | tojson }}" + "{{ inputs.lang }}" * 11,
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{{ " + "not " * 4000 + "1 }}",
    "{{ " + "[" * 200 + "]" * 200 + " }}",
    "{{ " + "9" * 6000 + " }}",
    "{{ 1 if",
    "{{ }}",
    "x" * 21_000 + "{{ 1 }}",
]


@pytest.mark.parametrize("template", ESCAPES, ids=[text[:50] for text in ESCAPES])
def test_what_reaches_beyond_inputs_and_stages_is_refused(template: str) -> None:
    with pytest.raises(TemplateError) as found:
        render(template, VALUES)
    assert "**" in found.value.message
    assert len(found.value.message) < 500


@given(st.text(alphabet="{}[]()|.,'\"_ ainputsge#%*~-+<>=0123456789\n", max_size=60))
def test_no_text_makes_a_template_raise_anything_else(text: str) -> None:
    try:
        render(f"{{{{ {text}", VALUES)
        render(f"{{{{ {text} }}}}", VALUES)
    except TemplateError:
        pass


def test_a_text_is_bounded_also_where_its_pieces_are_not() -> None:
    with pytest.raises(TemplateError, match=str(MAX_OUTPUT)):
        render("{{ inputs.lang }}" * 11, VALUES)


def test_what_a_template_refers_to_is_known_without_playing_it() -> None:
    with_ = {"a": "{{ inputs.liste }} {{ stages.zahl.rows | length }}", "b": ["{{ inputs['x'] or 1 }}"], "c": 3}
    assert set(references(with_)) == {("inputs", "liste"), ("stages", "zahl"), ("inputs", "x")}


def test_a_mere_path_is_walked_without_loading_jinja2() -> None:
    code = (
        "import sys; from famulus_kernel.harness.templates import render;"
        "print(render('{{ inputs.a.b }}', {'inputs': {'a': {'b': 7}}, 'stages': {}}), 'jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7", "False"]
