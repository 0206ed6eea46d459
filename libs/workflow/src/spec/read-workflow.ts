import { isPlainObject } from '@switchyard/base';
import { assignment, assignments, texts } from './assignments';
import type { Assignment, InputSpec, TaskSpec, WorkflowSpec } from './model';
import { readTask } from './read-task';

/**
 * The specification that a raw definition amounts to. What has the wrong shape is left out or read as best it can, since
 * inspection looks at the rest all the same; list items keep their index. A definition without syntax findings is read
 * completely.
 */
export function readWorkflow(raw: Readonly<Record<string, unknown>>): WorkflowSpec {
  const { name, description, tags, input, vars, tasks, output, timeout } = raw;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...((typeof timeout === 'string' || typeof timeout === 'number') && { timeout }),
    tags: texts(tags),
    input: readInputs(input),
    vars: assignments(vars),
    tasks: readTasks(tasks),
    output: assignments(output),
    finally: texts(raw.finally),
  };
}

function readTasks(tasks: unknown): ReadonlyMap<string, TaskSpec> {
  const entries = isPlainObject(tasks) ? Object.entries(tasks) : [];
  return new Map(entries.map(([name, task]) => [name, readTask(name, isPlainObject(task) ? task : {})]));
}

const readInputs = (given: unknown): readonly InputSpec[] =>
  Array.isArray(given)
    ? given.map((item: unknown) => (typeof item === 'string' ? { name: item } : defaulted(assignment(item))))
    : assignments(given).map(defaulted);

const defaulted = ({ value, ...named }: Assignment): InputSpec => ({ ...named, default: value });
