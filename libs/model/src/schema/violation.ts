export type Path = readonly (string | number)[];

/** One reason why a value does not fit its schema. */
export interface Violation {
  readonly keyword: string;
  /** Where in the value, from the place at which the check began. */
  readonly path: Path;
  /** Where in the schema. */
  readonly schemaPath: Path;
  readonly value: unknown;
  readonly schema: Schema;
  /** The wording of Python's jsonschema. Made on demand: of many violations one is shown. */
  readonly message: () => string;
  /** What was wrong under each alternative of `anyOf` and `oneOf`; their paths begin at this violation's place. */
  readonly context: readonly Violation[];
}

/** A schema as users write it: JSON, whose keywords are checked when it is compiled. */
export type Schema = Readonly<Record<string, unknown>>;

/** One pass over a value: the place reached, and what was found wrong. */
export interface Run {
  readonly path: (string | number)[];
  readonly violations: Violation[];
  /** Of the whole pass, with what its alternatives find. */
  readonly allowance: { checks: number };
}

export type Check = (value: unknown, run: Run) => void;

/**
 * As many times as schemas may be held against parts of one value. Alternatives that refer to the whole schema double their number
 * with each level of the value.
 */
const MOST_CHECKS = 2_000_000;

export const startRun = (): Run => ({ path: [], violations: [], allowance: { checks: MOST_CHECKS } });

/** A pass over the same value that reports on its own. */
export const runBeside = ({ allowance }: Run): Run => ({ path: [], violations: [], allowance });

/** Applies `check` one step further down. */
export function descend(check: Check, value: unknown, step: string | number, run: Run): void {
  run.path.push(step);
  check(value, run);
  run.path.pop();
}
