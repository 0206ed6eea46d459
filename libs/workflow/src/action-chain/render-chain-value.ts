import { isPlainObject } from '@switchyard/base';
import { isTemplate, renderText, type RenderOptions } from '@switchyard/expressions';
import type { WorkflowSpec } from '../spec/model';

export type ChainNames = Readonly<Record<string, unknown>>;

/**
 * The names visible to templates of a chain: the variables of the run, the results so far as `__results`, and both as
 * `__context`.
 * @param variables parameters, vars, published values and, by the names in `resultAs`, results
 */
export function chainNames({ tasks }: WorkflowSpec, variables: ChainNames): ChainNames {
  const results = [...tasks.values()]
    .map(({ resultAs }) => resultAs)
    .filter((name): name is string => name !== undefined && Object.hasOwn(variables, name));
  const names = { ...variables, __results: Object.fromEntries(results.map((name) => [name, variables[name]])) };
  return { __context: names, ...names };
}

/** The start of the error for a node whose parameters cannot be rendered. */
export const unrenderedNode = (name: string): string => `Failed to run task "${name}". Parameter rendering failed.`;

/**
 * Renders the texts of a value at any depth, keys included. A template always gives a text: lists and records are
 * printed as Python does, and scalars are cast to the parameter's type later. Other values keep their type.
 * @throws JinjaError
 */
export function renderChainValue(value: unknown, names: ChainNames, options: RenderOptions = {}): unknown {
  if (typeof value === 'string') return isTemplate(value) ? renderText(value, names, options) : value;
  if (Array.isArray(value)) return value.map((item) => renderChainValue(item, names, options));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      String(renderChainValue(key, names, options)),
      renderChainValue(item, names, options),
    ]),
  );
}
