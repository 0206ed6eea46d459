import { JinjaError, renderText, templateProblem } from '@switchyard/expressions';
import { seedsOf, VARIABLES } from '../corpus';
import type { FuzzTarget } from '../fuzz-target';

export const jinjaTarget: FuzzTarget = {
  name: 'jinja',
  seeds: seedsOf('jinja.jsonl', ({ template }) => template, [
    '{{ name | upper }}-{{ num + 1 }}',
    '{% for host in hosts if host.up %}{{ loop.index }}:{{ host.name }}{% else %}none{% endfor %}',
    '{% set x = ints | sort | join("-") %}{{ x }}',
    '{% macro m(a, b=2) %}{{ a * b }}{% endmacro %}{{ m(3) }}{{ m(b=1, a="x") }}',
    '{{ "%s and %05.2f" | format(text, pi) }} {{ "{:>10}".format(num) }} {{ hosts | map(attribute="name") | list }}',
    '{{ text | regex_replace("o(.)", "0\\\\1") }} {{ json | from_json_string }} {{ dict | jsonpath_query("b..c") }}',
  ]),
  tokens: ['{{', '}}', '{%', '%}', '{#', '#}', '{% for x in ints %}', '{% endfor %}', '{% if ', '{% endif %}', ' | ', '| list', '| join', '| length', '(', ')', '[', ']', '.', '**', '*', '//', '%', '~', 'ints', 'hosts', 'dict', 'text', 'range(9)', 'loop.', '"', "'", '\\', 'not ', 'in ', 'is defined', ' if ', ' else ', '| format(', '| tojson', '| regex_search("a")', '__class__', '9999999'], // oxfmt-ignore
  run: (input) => [templateProblem(input), renderText(input, VARIABLES)],
  isRefusal: (thrown) => thrown instanceof JinjaError,
};
