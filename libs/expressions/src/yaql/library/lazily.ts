import { type YaqlFailure, valueError } from '../values/failure';
import { Lazy } from '../values/lazy';

/** A function whose result is an iterator over what the body yields. */
export const lazily =
  <A extends readonly unknown[]>(body: (...args: A) => Iterable<unknown>) =>
  (...args: A): Lazy =>
    new Lazy(body(...args));

/** What Python says about a negative number of items. */
export const sliceError = (what: 'Indices for' | 'Stop argument for'): YaqlFailure =>
  valueError(`${what} islice() must be None or an integer: 0 <= x <= sys.maxsize.`);
