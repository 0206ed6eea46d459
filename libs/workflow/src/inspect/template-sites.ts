import type { Path } from '@switchyard/model';
import type { Assignment, InputSpec, TaskSpec, Template, TransitionSpec, WorkflowSpec } from '../spec/model';
import { TASK_PROPERTIES, TRANSITION_PROPERTIES } from './schema-places';

/** A value that may hold expressions, and where it stands. */
export interface TemplateSite {
  readonly value: Template;
  readonly path: Path;
  readonly schema: Path;
  /** The variable that the value is given to, which the sites behind it see. */
  readonly name?: string;
}

/** The inputs, the variables, and what else is evaluated before the first task, in order. */
export const openingSites = (spec: WorkflowSpec): TemplateSite[] => [
  ...listSites(spec.input.map(withDefault), ['input'], ['properties', 'input']),
  ...listSites(spec.vars, ['vars'], ['properties', 'vars']),
  ...(spec.timeout === undefined
    ? []
    : [{ value: spec.timeout, path: ['timeout'], schema: ['properties', 'timeout'] }]),
];

export const outputSites = (spec: WorkflowSpec): TemplateSite[] =>
  listSites(spec.output, ['output'], ['properties', 'output']);

const withDefault = ({ default: value = null, ...input }: InputSpec): Assignment => ({ ...input, value });

const listSites = (list: readonly Assignment[], path: Path, schema: Path): TemplateSite[] =>
  list.flatMap(({ more = [], ...first }, index) =>
    [first, ...more].map(({ name, value }) => ({ value, path: [...path, index], schema, name })),
  );

/** What is evaluated when a task starts. */
export function taskSites({ name, delay, with: items, action, input, retry, timeout }: TaskSpec): TemplateSite[] {
  const values: readonly (readonly [readonly string[], Template])[] = [
    [['delay'], delay],
    [['with', 'items'], items?.items],
    [['with', 'concurrency'], items?.concurrency],
    [['action'], action],
    [['input'], input],
    [['retry', 'count'], retry?.count],
    [['retry', 'delay'], retry?.delay],
    [['retry', 'when'], retry?.when],
    [['timeout'], timeout],
  ];
  return values
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([keys, value]) => ({
      value,
      path: ['tasks', name, ...keys],
      schema: [...TASK_PROPERTIES, ...inSchema(keys)],
    }));
}

const inSchema = (keys: readonly string[]): readonly string[] => keys.join('.properties.').split('.');

/** What is evaluated when a task has ended and a transition is tried: its condition, then what it publishes. */
export function transitionSites(task: string, index: number, { when, publish }: TransitionSpec): TemplateSite[] {
  const path: Path = ['tasks', task, 'next', index];
  const condition =
    when === undefined ? [] : [{ value: when, path: [...path, 'when'], schema: [...TRANSITION_PROPERTIES, 'when'] }];
  return [...condition, ...listSites(publish, [...path, 'publish'], [...TRANSITION_PROPERTIES, 'publish'])];
}
