import { type HostFunction, ExpressionError } from '../../evaluate/scope';
import { JinjaError } from '../values/jinja-error';
import { exactFromJinja, plainFromJinja } from '../values/plain';
import type { Named, Operation, NamedOperation } from './operation';
import type { Callable, JinjaRendering } from './run';
import { copyOf, Scope } from './scope';
import { RenderBudget, chargeFor, chargeResult, guarded } from './budget';

/** Resolves names to host functions. A function is wrapped only when a template names it. */
export class HostScope extends Scope {
  /** @param copied for templates that change lists and dictionaries: they get copies of function results */
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

/** Makes a filter of a host function; the filtered value is the first argument. */
export function hostFilter(name: string, host: HostFunction): Operation {
  if (host instanceof OperationFunction) return host.operation;
  const call = callable(name, host, false);
  return (run, subject, args, named) => call([subject, ...args], named, run);
}

function callable(name: string, host: HostFunction, copied: boolean): Callable {
  if (host instanceof OperationFunction) return host.callable(name);
  return (args, named) => {
    const plain = args.map((arg) => plainFromJinja(arg));
    const answer = host.call(bound(name, host, plain, named), host.variadic === true ? plain : []);
    return copied ? copyOf(answer) : answer;
  };
}

/** Orders the arguments by parameter. @throws TypeError with Python's message */
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
  for (const [key, value] of Object.entries(named)) values[parameters.indexOf(key)] = plainFromJinja(value);
  const missing = parameters.slice(0, host.required).find((_, index) => values[index] === undefined);
  if (missing !== undefined) throw typeError(`${name}() missing 1 required positional argument: '${missing}'`);
  return values;
}

const typeError = (message: string): JinjaError => new JinjaError('TypeError', message);

/**
 * Offers a template operation as a function to both languages; its subject is the first parameter. Templates get the
 * result unchanged, tuples included; YAQL gets lists. Both get floats such as 2.0 as they are.
 */
export class OperationFunction implements HostFunction {
  readonly parameters: readonly string[];
  readonly required: number;
  readonly exact = true;
  readonly call: HostFunction['call'];

  /** @param variadic takes any number of subjects; the operation's own parameters are then named only */
  constructor(
    readonly operation: NamedOperation,
    private readonly subject: string,
    readonly variadic = false,
  ) {
    this.parameters = variadic ? operation.parameters : [subject, ...operation.parameters];
    this.required = variadic ? 0 : operation.required + 1;
    this.call = (args, rest) => plainly((run) => this.apply(args, rest, run));
  }

  private apply(args: readonly unknown[], rest: readonly unknown[], run: JinjaRendering): unknown {
    const { operation, parameters } = this;
    if (!this.variadic) return operation(run, args[0], args.slice(1), {});
    const named = parameters.map((name, index) => [name, args[index]]).filter(([, value]) => value !== undefined);
    return operation(run, rest[0], rest.slice(1), Object.fromEntries(named) as Named);
  }

  /** The callable for templates. */
  callable(name: string): Callable {
    return (args, named, run) => {
      const [subject, others] = args.length > 0 ? [args[0], named] : this.namedSubject(name, named);
      chargeFor(subject);
      return chargeResult(this.operation(run, subject, args.slice(1), others));
    };
  }

  private namedSubject(name: string, named: Named): [unknown, Named] {
    if (this.variadic) return [undefined, named];
    const { [this.subject]: subject, ...others } = named;
    if (subject !== undefined) return [subject, others];
    throw new JinjaError('TypeError', `${name}() missing 1 required positional argument: '${this.subject}'`);
  }
}

/** Runs an operation outside of a template, with its own budget. */
function plainly(work: (run: JinjaRendering) => unknown): unknown {
  const run: JinjaRendering = { ...BARE, budget: new RenderBudget() };
  try {
    return guarded(run.budget, () => exactFromJinja(work(run)));
  } catch (error) {
    if (!(error instanceof JinjaError)) throw error;
    throw new ExpressionError(error.kind, error.message, '', undefined, { cause: error });
  }
}

const BARE = {
  lenient: false,
  filter: () => undefined,
  test: () => undefined,
  datastore: undefined,
  decrypt: undefined,
  random: Math.random,
};
