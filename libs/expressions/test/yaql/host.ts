import { ExpressionError, type ExpressionScope, type HostFunction } from '../../src/evaluate/scope';

const host = (
  parameters: readonly string[],
  required: number,
  call: HostFunction['call'],
  variadic = false,
): HostFunction => ({ parameters, required, variadic, call });

/** A scope with the host functions that the recorded answers use. */
export function scopeOf(variables: Readonly<Record<string, unknown>>): ExpressionScope {
  return {
    variables,
    functions: new Map([
      ['ctx', host(['key'], 0, ([key]) => variable(variables, key))],
      ['json', host(['s'], 1, ([text]) => (typeof text === 'string' ? (JSON.parse(text) as unknown) : text))],
      ['zip', host(['pad'], 0, ([pad = null], lists) => zipped(lists as (readonly unknown[])[], pad), true)],
      ['task_status', host(['task_id', 'route'], 1, ([task]) => (task === 't1' ? 'succeeded' : 'null'))],
      ['echo', host(['first', 'second_one'], 1, (args) => args)],
    ]),
  };
}

function variable(variables: Readonly<Record<string, unknown>>, key: unknown): unknown {
  if (typeof key !== 'string' || key === '') return variables;
  if (Object.hasOwn(variables, key)) return variables[key];
  throw new ExpressionError('VariableUndefinedError', `The variable "${key}" is undefined.`, '');
}

const zipped = (lists: readonly (readonly unknown[])[], pad: unknown): unknown[] =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) =>
    lists.map((list) => list[index] ?? pad),
  );
