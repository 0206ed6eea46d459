import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { evaluate, workflowFunctions } from '@switchyard/expressions';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const EXPRESSIONS = [
  '<% ctx(name) %>',
  '<% ctx().name %>',
  'in <% ctx(list).where($ > 1).select(task_status(a)) %>',
  '{{ ctx("name") }}',
  'in {{ ctx().list | map("string") | list }}',
  '{% for each in ctx().list %}{{ each }}{% endfor %}',
];

/** @returns what would still be there if the expression kept what it was evaluated with */
function evaluated(text: string): WeakRef<object> {
  const variables = { name: 'a', list: [1, 2] };
  const view = { variables, taskStatus: () => variables.name };
  evaluate(text, { variables, functions: workflowFunctions(view) });
  return new WeakRef(variables);
}

it.each(EXPRESSIONS)('what %s was evaluated with is given free, although the expression is kept', async (text) => {
  const kept = [evaluated(text), evaluated(text)];
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(kept.map((each) => each.deref())).toEqual([undefined, undefined]);
});
