import { JinjaError } from '../values/jinja-error';
import type { Run } from './run';

export type Named = Readonly<Record<string, unknown>>;

/** A filter, test, method or function: takes the value it is applied to, then positional and named arguments. */
export type Operation = (run: Run, subject: unknown, args: readonly unknown[], named: Named) => unknown;

/** An operation that knows its parameters, so that it can be offered as a function too. */
export interface NamedOperation extends Operation {
  /** The names after the subject. */
  readonly parameters: readonly string[];
  /** How many of them must be given. */
  readonly required: number;
}

/** Arguments are checked where they are used; a body states what it expects of them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the boundary between untyped templates and typed bodies
type Body = (subject: any, run: Run, ...args: any[]) => unknown;

/**
 * An operation with named parameters; absent ones arrive as undefined, so that a body can give them defaults.
 * @param required how many of the first ones must be given
 */
export function operation(parameters: readonly string[], body: Body, required = 0): NamedOperation {
  const apply: Operation = (run, subject, args, named) => {
    if (args.length > parameters.length) {
      throw new JinjaError('TypeError', `takes ${parameters.length} arguments but ${args.length} were given`);
    }
    const bound: unknown[] = [...args];
    for (const name of Object.keys(named)) {
      const index = parameters.indexOf(name);
      if (index < 0) throw new JinjaError('TypeError', `got an unexpected keyword argument '${name}'`);
      if (index < args.length) throw new JinjaError('TypeError', `got multiple values for argument '${name}'`);
      bound[index] = named[name];
    }
    for (let index = 0; index < required; index += 1) {
      if (bound[index] === undefined) {
        throw new JinjaError('TypeError', `missing required argument: '${parameters[index]}'`);
      }
    }
    return body(subject, run, ...bound);
  };
  return Object.assign(apply, { parameters, required });
}

export type Operations = Readonly<Record<string, Operation>>;
export type NamedOperations = Readonly<Record<string, NamedOperation>>;

/** The operation of a name; names of Object's prototype are none. */
export const findOperation = (table: Operations, name: string): Operation | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
