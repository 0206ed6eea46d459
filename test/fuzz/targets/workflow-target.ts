import { DefinitionError, inspectWorkflow, parseWorkflow, workflowWarnings } from '@switchyard/workflow';
import { seedsOf } from '../corpus';
import type { FuzzTarget } from '../fuzz-target';

const OWN = [
  'version: 1.0\ninput:\n  - a: 1\n  - b\nvars:\n  - x: <% ctx(a) %>\noutput:\n  - o: <% ctx(x) %>\ntasks:\n  t1:\n    action: core.local cmd="echo {{ ctx().a }}"\n    next:\n      - when: <% succeeded() %>\n        publish: y=<% result() %> z="2"\n        do: t2, t3\n  t2:\n    with:\n      items: i in <% ctx(x) %>\n      concurrency: 2\n    action: core.echo\n    input:\n      message: <% item(i) %>\n    retry:\n      when: <% failed() %>\n      count: 3\n      delay: 1\n    next:\n      - do: [fail]\n  t3:\n    join: all\n    delay: <% 1 + 1 %>\n    action: core.noop\n',
  'version: 1.0\ntasks:\n  a: &a\n    action: core.noop\n    next: [{do: b}]\n  b:\n    <<: *a\n    next:\n      - do: noop\n',
];

/** The text of a definition in YAML (or JSON): it is read, inspected and, if valid, turned into a graph. */
export const workflowTarget: FuzzTarget = {
  name: 'workflow',
  seeds: seedsOf(
    'workflows/basic.jsonl',
    ({ definition }) => {
      const text = JSON.stringify(definition, null, 1);
      return text.length < 1_500 ? text : undefined;
    },
    OWN,
  ),
  tokens: ['tasks:', 'next:', 'do:', 'join: all', 'with:', 'items:', 'retry:', 'publish:', 'when: <% succeeded() %>', 'action: core.noop', 'version: 1.0', '\n', '\n  ', '    ', '- ', ': ', '&a ', '*a', '<<: ', '|\n', '>-\n', '!!binary ', '? ', '---\n', '#', '{', '}', '[', ']', '"', "'", ',', 'null', 'yes', '1e3', 't1', 'fail', 'noop', 'continue', '<% ctx(x) %>', '{{ ctx().x }}'], // oxfmt-ignore
  run: (input) => [inspectWorkflow(input), workflowWarnings(input), parseWorkflow(input)],
  isRefusal: (thrown) => thrown instanceof DefinitionError,
};
