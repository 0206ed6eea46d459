import { isPlainObject } from '@switchyard/base';
import { pythonRepr, type ValuePath } from '@switchyard/model';
import { composeGraph } from '../graph';
import { readWorkflow } from '../spec/read-workflow';
import { inlineAction, inlinePairs } from '../spec/shorthand/inline-pairs';
import { type InspectionProblem, TASK, TASK_PROPERTIES, TRANSITION_PROPERTIES } from './finding';

/** See `workflowWarnings`. */
export const warningProblems = (raw: Readonly<Record<string, unknown>>): InspectionProblem[] => [
  ...withoutVersion(raw),
  ...lostInlineText(raw),
  ...tasksOutOfReach(raw),
];

const withoutVersion = (raw: Readonly<Record<string, unknown>>): InspectionProblem[] =>
  Object.hasOwn(raw, 'version')
    ? []
    : [{ message: "'version' is missing: expected 1.0", path: [], schema: ['required'] }];

/** If nothing can start at all, inspection reports that instead. */
function tasksOutOfReach(raw: Readonly<Record<string, unknown>>): InspectionProblem[] {
  const spec = readWorkflow(raw);
  const graph = composeGraph(spec);
  if (graph.starts.length === 0) return [];
  return [...spec.tasks.keys()]
    .filter((name) => !graph.tasks.has(name))
    .map((name) => ({
      message: `The task "${name}" never runs: it can only be reached from a loop without an entry.`,
      path: ['tasks', name],
      schema: TASK,
    }));
}

/**
 * Finds parts of inline texts that are not `name=value` pairs, such as an unquoted word; the reference drops them
 * silently.
 */
function lostInlineText({ tasks }: Readonly<Record<string, unknown>>): InspectionProblem[] {
  if (!isPlainObject(tasks)) return [];
  return Object.entries(tasks).flatMap(([name, task]) =>
    isPlainObject(task) ? [...inAction(task, ['tasks', name]), ...inPublish(task, ['tasks', name])] : [],
  );
}

function inAction({ action }: Readonly<Record<string, unknown>>, task: ValuePath): InspectionProblem[] {
  const { rest } = typeof action === 'string' ? inlineAction(action) : { rest: [] };
  return lost(rest, [...task, 'action'], [...TASK_PROPERTIES, 'action']);
}

function inPublish({ next }: Readonly<Record<string, unknown>>, task: ValuePath): InspectionProblem[] {
  const transitions: readonly unknown[] = Array.isArray(next) ? next : [];
  return transitions.flatMap((transition, index) => {
    const { publish } = isPlainObject(transition) ? transition : {};
    const rest = typeof publish === 'string' && publish !== '' ? inlinePairs(publish).rest : [];
    return lost(rest, [...task, 'next', index, 'publish'], [...TRANSITION_PROPERTIES, 'publish']);
  });
}

function lost(rest: readonly string[], path: ValuePath, schema: ValuePath): InspectionProblem[] {
  if (rest.length === 0) return [];
  const message = `${pythonRepr(rest.join(' '))} is not an inline parameter: expected name=value with a quoted text, number, list or expression`;
  return [{ message, path, schema }];
}
