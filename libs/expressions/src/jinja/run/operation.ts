import { JinjaError } from '../values/jinja-error';
import type { JinjaRendering } from './run';

export type Named = Readonly<Record<string, unknown>>;

/** A filter, test, method or function: takes its subject, then positional and named arguments. */
export type Operation = (run: JinjaRendering, subject: unknown, args: readonly unknown[], named: Named) => unknown;

/** An operation with known parameters, which can also be offered as a function. */
export interface NamedOperation extends Operation {
  /** Parameter names after the subject. */
  readonly parameters: readonly string[];
  /** How many of them are required. */
  readonly required: number;
}

/** Bodies declare the argument types they expect and check them on use. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the boundary between untyped templates and typed bodies
type Body = (subject: any, run: JinjaRendering, ...args: any[]) => unknown;

/**
 * Makes an operation with named parameters; absent ones are undefined, so that the body can declare defaults.
 * @param required how many of the first ones are required
 */
export function filterOperation(parameters: readonly string[], body: Body, required = 0): NamedOperation {
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

/** Looks up an operation, ignoring members of Object.prototype. */
export const findOperation = (table: Operations, name: string): Operation | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
