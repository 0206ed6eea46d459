import { t } from '@lingui/core/macro';
import { parseDocument, stringify } from 'yaml';
import type { ShownGraph, ShownRehearsal } from '../api/client';
import { inputsOf } from './workflow-draft';

const WIDTH = { lineWidth: 120 };

/** A rehearsal to begin with: all inputs with their defaults, and an empty result for each action. */
export function firstRehearsal(definition: string, { nodes }: Pick<ShownGraph, 'nodes'>): string {
  const tasks = nodes.filter(({ action }) => action !== undefined);
  const inputs = stringify({ inputs: Object.fromEntries(inputsOf(definition)) }, WIDTH);
  const results = stringify({ mock_action_executions: tasks.map(({ id }) => resultOf(id)) }, WIDTH);
  const comment = t`The results of the actions. Each of them may also have "status: failed".`;
  return `${inputs}# ${comment}\n${results}`;
}

const resultOf = (task: string) => ({ task_id: task, result: null });

type Outcome = NonNullable<ShownRehearsal['outcome']>;

/** Makes an outcome the expected one, and keeps what else the author has written. */
export function expectOutcome(rehearsal: string, { status, task_sequence, routes, output }: Outcome): string {
  const document = parseDocument(rehearsal);
  document.set('expected_task_sequence', task_sequence);
  if (routes.length > 1) document.set('expected_routes', routes);
  else document.delete('expected_routes');
  document.set('expected_workflow_status', status);
  document.set('expected_output', output);
  return document.toString(WIDTH);
}
