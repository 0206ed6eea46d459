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

/** @returns a reference that stays alive if the expression retains its data */
function evaluated(text: string): WeakRef<object> {
  const variables = { name: 'a', list: [1, 2] };
  const view = { variables, taskStatus: () => variables.name };
  evaluate(text, { variables, functions: workflowFunctions(view) });
  return new WeakRef(variables);
}

it.each(EXPRESSIONS)(
  'the values that %s was evaluated with are released while the expression stays cached',
  async (text) => {
    const kept = [evaluated(text), evaluated(text)];
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(kept.map((each) => each.deref())).toEqual([undefined, undefined]);
  },
);
