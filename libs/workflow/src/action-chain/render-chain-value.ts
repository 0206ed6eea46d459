import { isPlainObject } from '@switchyard/base';
import { isTemplate, renderText, type RenderOptions } from '@switchyard/expressions';
import type { WorkflowSpec } from '../spec/model';

export type ChainNames = Readonly<Record<string, unknown>>;

/**
 * What the templates of a chain see by bare names: the variables of the run, and the results of the nodes so far once more
 * as `__results`, and all of that as `__context`.
 * @param variables parameters, vars, published values and, by the names in `resultAs`, results
 */
export function chainNames({ tasks }: WorkflowSpec, variables: ChainNames): ChainNames {
  const results = [...tasks.values()]
    .map(({ resultAs }) => resultAs)
    .filter((name): name is string => name !== undefined && Object.hasOwn(variables, name));
  const names = { ...variables, __results: Object.fromEntries(results.map((name) => [name, variables[name]])) };
  return { __context: names, ...names };
}

/** How the error of a node begins whose parameters cannot be rendered. */
export const unrenderedNode = (name: string): string => `Failed to run task "${name}". Parameter rendering failed.`;

/**
 * Renders the texts of a value at any depth, keys included. A text with a template gives a text, whatever it names: lists
 * and records are printed as Python does, and scalars await the cast to the parameter's type. Other values keep theirs.
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
