import type { HostFunction } from '../../evaluate/scope';
import { JinjaError } from '../values/jinja-error';
import { toPlain } from '../values/plain';
import { OperationFunction } from './operation-function';
import type { Named, Operation } from './operation';
import type { Callable } from './run';
import { copyOf, Scope } from './scope';

/** The host's functions as names; each is made callable only where a template names it. */
export class HostScope extends Scope {
  /** @param copied for templates that change lists and dictionaries: they get copies of what functions answer */
  constructor(
    private readonly functions: ReadonlyMap<string, HostFunction>,
    private readonly copied: boolean,
    outer: Scope,
  ) {
    super(outer);
  }

  override has(name: string): boolean {
    return this.functions.has(name) || super.has(name);
  }

  override get(name: string): unknown {
    const found = this.functions.get(name);
    return found === undefined ? super.get(name) : callable(name, found, this.copied);
  }
}

/** The filter of a host function: the filtered value is its first argument. */
export function hostFilter(name: string, host: HostFunction): Operation {
  if (host instanceof OperationFunction) return host.operation;
  const call = callable(name, host, false);
  return (run, subject, args, named) => call([subject, ...args], named, run);
}

function callable(name: string, host: HostFunction, copied: boolean): Callable {
  if (host instanceof OperationFunction) return host.callable(name);
  return (args, named) => {
    const plain = args.map((arg) => toPlain(arg));
    const answer = host.call(bound(name, host, plain, named), host.variadic === true ? plain : []);
    return copied ? copyOf(answer) : answer;
  };
}

/** The arguments by position of the parameters. @throws TypeError in Python's words */
function bound(name: string, host: HostFunction, args: readonly unknown[], named: Named): readonly unknown[] {
  const { parameters } = host;
  const values: unknown[] = host.variadic === true ? [] : [...args];
  if (values.length > parameters.length) {
    throw typeError(`${name}() takes ${parameters.length} positional arguments but ${values.length} were given`);
  }
  for (const key of Object.keys(named)) {
    const index = parameters.indexOf(key);
    if (index < 0) throw typeError(`${name}() got an unexpected keyword argument '${key}'`);
    if (index < values.length) throw typeError(`${name}() got multiple values for argument '${key}'`);
  }
  for (const [key, value] of Object.entries(named)) values[parameters.indexOf(key)] = toPlain(value);
  const missing = parameters.slice(0, host.required).find((_, index) => values[index] === undefined);
  if (missing !== undefined) throw typeError(`${name}() missing 1 required positional argument: '${missing}'`);
  return values;
}

const typeError = (message: string): JinjaError => new JinjaError('TypeError', message);
