import { isPlainObject } from '@switchyard/base';
import type { Execution } from '@switchyard/client';
import type { Schema } from '@switchyard/model';
import { isDeepStrictEqual } from 'node:util';

/** A schema that matches the value. */
export function suggestSchema(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', ...itemsOf(value.map(suggestSchema)) };
  if (isPlainObject(value)) {
    const properties = Object.entries(value).map(([name, member]) => [name, suggestSchema(member)] as const);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  if (value === null || value === undefined) return { type: 'null' };
  return { type: typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value };
}

/** Lists with different items get no schema for items. */
const itemsOf = ([first, ...others]: readonly Schema[]): { items?: Schema } =>
  first && others.every((other) => isDeepStrictEqual(other, first)) ? { items: first } : {};

export type Suggestion = { readonly schema: Schema } | { readonly reason: string };

/** An `output_schema` for an action, derived from one result; or why there is none to suggest. */
export function suggestedSchema({ action, runner, result, status }: Execution): Suggestion {
  if (isPlainObject(action['output_schema']) && Object.keys(action['output_schema']).length > 0)
    return { reason: `The action "${action.ref}" has an output schema already.` };
  if (status !== 'succeeded')
    return { reason: 'An output schema is suggested from the result of a run that succeeded.' };
  // The schema describes only this part of the result if the runner has an output key.
  const key = runner?.output_key;
  const output = key === undefined ? result : isPlainObject(result) ? result[key] : undefined;
  if (output === undefined || output === null)
    return { reason: 'The execution has no output to suggest an output schema for.' };
  return { schema: suggestSchema(output) };
}
