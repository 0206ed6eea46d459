import { filterOperation, type NamedOperations } from '../run/operation';
import { JinjaError } from '../values/jinja-error';
import { asNumber, isFloat, numeric } from '../values/number';
import { fixed } from '../format/number-text';
import { numberText, toText } from '../values/text';
import { jinjaTypeName } from '../values/collections';
import { defined } from '../values/undefined';

/** Filters for paths and durations. */
export const pathFilters: NamedOperations = {
  basename: filterOperation([], (value) => baseName(toText(value))),
  dirname: filterOperation([], (value) => directoryName(toText(value))),
  to_human_time_from_seconds: filterOperation([], (value) => {
    const number = numeric(defined(value));
    if (number === undefined)
      throw new JinjaError('TypeError', `seconds must be a number, not ${jinjaTypeName(value)}`);
    const seconds = asNumber(number);
    // The interface writes fractions with this unit, and negative numbers.
    if (seconds < 1 && seconds !== 0) return `${numberText(number)}μs`;
    return humanTime(isFloat(number) ? Number(fixed(seconds, 0)) : seconds);
  }),
};

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Everything before the last slash; a path of slashes only is returned as is. */
function directoryName(path: string): string {
  let end = path.lastIndexOf('/') + 1;
  const head = path.slice(0, end);
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return end === 0 ? head : head.slice(0, end);
}

const UNITS: readonly (readonly [string, number])[] = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** `1d2h3m4s`: starts at the largest unit that is not zero. */
function humanTime(seconds: number): string {
  if (seconds === 0) return '0s';
  let rest = seconds;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || text !== '') text += `${count}${unit}`;
  }
  return text;
}
