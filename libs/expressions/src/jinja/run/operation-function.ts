import { ExpressionError, type HostFunction } from '../../evaluate/scope';
import { JinjaError } from '../values/jinja-error';
import { toPlain } from '../values/plain';
import { Budget, chargeFor, chargeResult } from './budget';
import { guarded } from './guarded';
import type { Named, NamedOperation } from './operation';
import type { Callable, Run } from './run';

/**
 * An operation of templates that both languages may call: what it is applied to is the first parameter. Templates get its
 * values as they are, tuples and floats included; YAQL gets plain data.
 */
export class OperationFunction implements HostFunction {
  readonly parameters: readonly string[];
  readonly required: number;
  readonly call: HostFunction['call'];

  /** @param variadic any number of subjects; the operation's own parameters are then given by name only */
  constructor(
    readonly operation: NamedOperation,
    private readonly subject: string,
    readonly variadic = false,
  ) {
    this.parameters = variadic ? operation.parameters : [subject, ...operation.parameters];
    this.required = variadic ? 0 : operation.required + 1;
    this.call = (args, rest) => plainly((run) => this.apply(args, rest, run));
  }

  private apply(args: readonly unknown[], rest: readonly unknown[], run: Run): unknown {
    const { operation, parameters } = this;
    if (!this.variadic) return operation(run, args[0], args.slice(1), {});
    const named = parameters.map((name, index) => [name, args[index]]).filter(([, value]) => value !== undefined);
    return operation(run, rest[0], rest.slice(1), Object.fromEntries(named) as Named);
  }

  /** What a template calls by the function's name. */
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

/** Runs an operation outside of any template, on a budget of its own. */
function plainly(work: (run: Run) => unknown): unknown {
  const run: Run = { ...BARE, budget: new Budget() };
  try {
    return guarded(run.budget, () => toPlain(work(run)));
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
