import { fault } from '@switchyard/base';

export type ValuePath = readonly (string | number)[];

/** One reason why a value does not match its schema. */
export interface Violation {
  readonly keyword: string;
  /** The path in the value, from the start of the check. */
  readonly path: ValuePath;
  /** The path in the schema. */
  readonly schemaPath: ValuePath;
  readonly value: unknown;
  readonly schema: Schema;
  /** The message of Python's jsonschema. Computed on demand, because only one of many violations is shown. */
  readonly message: () => string;
  /** The violations of each alternative of `anyOf` and `oneOf`, with paths relative to this violation. */
  readonly context: readonly Violation[];
}

/** A schema written by a user: JSON, whose keywords are checked at compile time. */
export type Schema = Readonly<Record<string, unknown>>;

/** One pass over a value: the current path and the violations found. */
export interface ValidationRun {
  readonly path: (string | number)[];
  readonly violations: Violation[];
  /** For the whole pass, including its alternatives. */
  readonly allowance: CheckAllowance;
}

export type Check = (value: unknown, run: ValidationRun) => void;

/**
 * Limits how many schemas are applied to parts of one value. Alternatives that refer to the whole schema double their number
 * with each level of the value. The limit grows with the size of the value, so that a small one cannot keep the process busy.
 */
export interface CheckAllowance {
  /** Counts one check. @throws Fault `schema.too-costly` */
  spend(): void;
}

/** The minimum, whatever the size of the value. */
const BASE_CHECKS = 20_000;
const CHECKS_PER_PART = 10;
const MAX_CHECKS = 2_000_000;

export const startValidation = (value: unknown): ValidationRun => ({
  path: [],
  violations: [],
  allowance: allowanceFor(value),
});

function allowanceFor(value: unknown): CheckAllowance {
  let left = BASE_CHECKS;
  let isSized = false;
  return {
    spend() {
      if (--left >= 0) return;
      // Few values need more, so only those are measured.
      if (!isSized) left = Math.min(CHECKS_PER_PART * partsOf(value), MAX_CHECKS);
      isSized = true;
      if (--left < 0) throw fault('schema.too-costly');
    },
  };
}

/** The number of objects, arrays and scalars in a value, including itself. */
function partsOf(value: unknown): number {
  const open = [value];
  let count = 0;
  while (open.length > 0 && count < MAX_CHECKS) {
    const part = open.pop();
    count += 1;
    if (typeof part === 'object' && part !== null) for (const member of Object.values(part)) open.push(member);
  }
  return count;
}

/** Starts a separate pass over the same value. */
export const runBeside = ({ allowance }: ValidationRun): ValidationRun => ({ path: [], violations: [], allowance });

/** Applies `check` one level further down. */
export function descend(check: Check, value: unknown, step: string | number, run: ValidationRun): void {
  run.path.push(step);
  check(value, run);
  run.path.pop();
}
