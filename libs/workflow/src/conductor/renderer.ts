import { isPlainObject } from '@switchyard/base';
import { JinjaError, readTemplates } from '@switchyard/expressions';
import { MASK, type SecretTexts } from '@switchyard/model';
import { chainNames, renderChainValue, unrenderedNode, type ChainNames } from '../action-chain/render-chain-value';
import type { Dialect, TaskSpec, TemplateValue, WorkflowSpec } from '../spec/model';
import type { Evaluator, Surroundings } from './evaluator';
import { DefinitionProblem } from './definition-values';

/** Renders the templates of one dialect. Conditions are expressions in every dialect. */
export interface Renderer {
  /** Renders a task's action reference. */
  readonly action: (template: string, around: Surroundings, evaluator: Evaluator) => unknown;
  /** Renders a task's input. */
  readonly input: (task: TaskSpec, around: Surroundings, evaluator: Evaluator) => unknown;
  /** Renders a variable or published value. @throws ExpressionError, JinjaError */
  readonly value: (template: TemplateValue, around: Surroundings, evaluator: Evaluator) => unknown;
}

/** The renderer of a definition's dialect. */
export const rendererOf = (spec: WorkflowSpec): Renderer =>
  spec.dialect === undefined ? EXPRESSIONS : RENDERERS[spec.dialect](spec);

const EXPRESSIONS: Renderer = {
  input: ({ input = null }, around, evaluator) => evaluator.evaluate(input, around),
  action: (template, around, evaluator) => evaluator.evaluate(template, around),
  value: (template, around, evaluator) => evaluator.evaluate(template, around),
};

const RENDERERS: Readonly<Record<Dialect, (spec: WorkflowSpec) => Renderer>> = {
  chain: (spec) => {
    const value: Renderer['value'] = (template, { variables }, evaluator) => {
      const names = chainNames(spec, variables);
      try {
        const { decrypted, ...options } = datastoreOf(evaluator);
        const rendered = renderChainValue(template, names, options);
        if (decrypted.length > 0 && typeof template === 'string') evaluator.noteDecrypted(rendered);
        return rendered;
      } catch (error) {
        throw error instanceof JinjaError && mayTellSecret(template, names, evaluator.secrets)
          ? new JinjaError(error.kind, MASK, { cause: error })
          : error;
      }
    };
    return {
      action: (template) => template,
      input: (task, around, evaluator) => chainInput(task, (template) => value(template, around, evaluator)),
      value,
    };
  },
};

/** Errors name the node, parameter and template. */
function chainInput({ name, resultAs = name, input }: TaskSpec, render: (template: TemplateValue) => unknown): unknown {
  if (!isPlainObject(input)) return input;
  const values = Object.entries(input).map(([parameter, template]) => {
    try {
      return [parameter, render(template)];
    } catch (error) {
      if (!(error instanceof JinjaError)) throw error;
      const text = typeof template === 'string' ? template : JSON.stringify(template);
      const what = `Failed rendering value for action parameter "${parameter}" in task "${resultAs}"`;
      throw new DefinitionProblem(
        '',
        `${unrenderedNode(resultAs)} ${what} (template string=${text}): ${error.message}`,
      );
    }
  });
  return Object.fromEntries(values);
}

/** Whether an error text may contain a secret, or part of one, that masking would not find. */
const mayTellSecret = (template: unknown, names: ChainNames, secrets: SecretTexts): boolean => {
  const { reads = [], decrypts = false } = readTemplates(template) ?? {};
  return decrypts || secrets.holdsSecret(reads.map((path) => valueAt(path, names)));
};

/** The value at the deepest existing step of a path. */
function valueAt(path: readonly (string | number)[], names: ChainNames): unknown {
  let value: unknown = names;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) break;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value === names ? undefined : value;
}

/** @returns `decrypted`: the items that were decrypted so far */
function datastoreOf(evaluator: Evaluator) {
  const decrypted: unknown[] = [];
  const { datastore } = evaluator.lookups;
  if (datastore === undefined) return { decrypted };
  return {
    decrypted,
    datastore: (key: Parameters<typeof datastore>[0]) => {
      const value = datastore(key);
      if (key.decrypt) {
        decrypted.push(value);
        evaluator.noteDecrypted(value);
      }
      return textOf(value);
    },
  };
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
