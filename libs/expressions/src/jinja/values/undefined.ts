import { JinjaError } from './jinja-error';

/**
 * The result of a missing name, key or element. It may be tested (`is defined`, `default`); any other use fails with
 * its message, unless it is lenient: then it acts as an empty text.
 */
export class Undefined {
  constructor(
    readonly message: string,
    readonly lenient = false,
  ) {}

  fail(): never {
    throw new JinjaError('UndefinedError', this.message);
  }
}

/** Refuses a strict undefined value and returns anything else unchanged. */
export function defined<T>(value: T): T {
  if (value instanceof Undefined && !value.lenient) value.fail();
  return value;
}
