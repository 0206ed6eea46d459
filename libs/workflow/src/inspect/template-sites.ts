import type { ValuePath } from '@switchyard/model';
import { isPlainObject } from '@switchyard/base';
import type {
  ContextAssignment,
  InputSpec,
  TaskSpec,
  TemplateValue,
  TransitionSpec,
  WorkflowSpec,
} from '../spec/model';
import { TASK_PROPERTIES, TRANSITION_PROPERTIES } from './finding';

/** A value that may contain expressions, and its place. */
export interface TemplateSite {
  readonly value: TemplateValue;
  readonly path: ValuePath;
  readonly schema: ValuePath;
  /** The variable that it sets, which later sites see. */
  readonly name?: string;
}

/** The inputs, the variables, and anything else evaluated before the first task, in order. */
export const openingSites = (spec: WorkflowSpec): TemplateSite[] => [
  ...listSites(spec.input.map(withDefault), ['input'], ['properties', 'input']),
  ...listSites(spec.vars, ['vars'], ['properties', 'vars']),
  ...(spec.timeout === undefined
    ? []
    : [{ value: spec.timeout, path: ['timeout'], schema: ['properties', 'timeout'] }]),
];

export const outputSites = (spec: WorkflowSpec): TemplateSite[] =>
  listSites(spec.output, ['output'], ['properties', 'output']);

const withDefault = ({ default: value = null, ...input }: InputSpec): ContextAssignment => ({ ...input, value });

const listSites = (list: readonly ContextAssignment[], path: ValuePath, schema: ValuePath): TemplateSite[] =>
  list.flatMap(({ more = [], ...first }, index) =>
    [first, ...more].map(({ name, value }) => ({ value, path: [...path, index], schema, name })),
  );

/** What is evaluated when a task starts. */
export function taskSites({ name, delay, with: items, action, input, retry, timeout }: TaskSpec): TemplateSite[] {
  const values: readonly (readonly [readonly string[], TemplateValue])[] = [
    [['delay'], delay],
    [['with', 'items'], items?.text],
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

/** What is evaluated when a transition is tried: its condition, then what it publishes. */
export function transitionSites(task: string, index: number, { when, publish }: TransitionSpec): TemplateSite[] {
  const path: ValuePath = ['tasks', task, 'next', index];
  const condition =
    when === undefined ? [] : [{ value: when, path: [...path, 'when'], schema: [...TRANSITION_PROPERTIES, 'when'] }];
  return [...condition, ...listSites(publish, [...path, 'publish'], [...TRANSITION_PROPERTIES, 'publish'])];
}

interface SiteText {
  readonly text: string;
  readonly place: ValuePath;
}

/** Every text at a site: the value itself, or the texts in its lists and maps at any depth, keys included. */
export const siteTexts = ({ value, path, name }: TemplateSite): SiteText[] =>
  textsIn(value, name === undefined ? path : [...path, name]);

function textsIn(value: unknown, place: ValuePath): SiteText[] {
  if (typeof value === 'string') return [{ text: value, place }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...place, index]));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    { text: key, place: [...place, key] },
    ...textsIn(item, [...place, key]),
  ]);
}
