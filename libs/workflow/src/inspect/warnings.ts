import { composeGraph } from '../graph';
import { readWorkflow } from '../spec/read-workflow';
import { lostInlineText } from './lost-inline-text';
import type { Problem } from './finding';
import { TASK } from './schema-places';

/** See `workflowWarnings`. */
export const warningProblems = (raw: Readonly<Record<string, unknown>>): Problem[] => [
  ...withoutVersion(raw),
  ...lostInlineText(raw),
  ...tasksOutOfReach(raw),
];

const withoutVersion = (raw: Readonly<Record<string, unknown>>): Problem[] =>
  Object.hasOwn(raw, 'version')
    ? []
    : [{ message: "'version' is missing: expected 1.0", path: [], schema: ['required'] }];

/** Where nothing can start at all, inspection says so. */
function tasksOutOfReach(raw: Readonly<Record<string, unknown>>): Problem[] {
  const spec = readWorkflow(raw);
  const graph = composeGraph(spec);
  if (graph.starts.length === 0) return [];
  return [...spec.tasks.keys()]
    .filter((name) => !graph.tasks.has(name))
    .map((name) => ({
      message: `The task "${name}" never runs: only tasks of a loop that nothing leads into lead to it.`,
      path: ['tasks', name],
      schema: TASK,
    }));
}
