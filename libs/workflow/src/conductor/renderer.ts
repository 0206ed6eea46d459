import { renderChainValue, chainNames } from '../action-chain/render-chain-value';
import type { Dialect, Template, WorkflowSpec } from '../spec/model';
import type { Evaluator, Surroundings } from './evaluator';

/** How the templates of one kind of definition become values. Conditions are expressions in every kind. */
export interface Renderer {
  /** The reference of a task's action. */
  readonly action: (template: string, around: Surroundings, evaluator: Evaluator) => unknown;
  /** Variables, a task's input, published values. @throws ExpressionError, JinjaError */
  readonly value: (template: Template, around: Surroundings, evaluator: Evaluator) => unknown;
}

/** The renderer of a definition's dialect. */
export const rendererOf = (spec: WorkflowSpec): Renderer =>
  spec.dialect === undefined ? EXPRESSIONS : RENDERERS[spec.dialect](spec);

const EXPRESSIONS: Renderer = {
  action: (template, around, evaluator) => evaluator.evaluate(template, around),
  value: (template, around, evaluator) => evaluator.evaluate(template, around),
};

const RENDERERS: Readonly<Record<Dialect, (spec: WorkflowSpec) => Renderer>> = {
  chain: (spec) => ({
    action: (template) => template,
    value: (template, { variables }, { lookups }) =>
      renderChainValue(template, chainNames(spec, variables), { ...datastoreOf(lookups) }),
  }),
};

const datastoreOf = ({ datastore }: Evaluator['lookups']) =>
  datastore === undefined ? {} : { datastore: (key: Parameters<typeof datastore>[0]) => textOf(datastore(key)) };

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
