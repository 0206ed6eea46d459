import { JinjaError } from './jinja-error';

/**
 * What a missing name, key or element evaluates to. It may be tested (`is defined`, `default`); any other use fails with
 * its message, unless it is lenient: then it is an empty text.
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

/** Refuses a strict undefined value and hands anything else through. */
export function defined<T>(value: T): T {
  if (value instanceof Undefined && !value.lenient) value.fail();
  return value;
}
