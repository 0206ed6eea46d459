import { filterOperation, type NamedOperations } from '../run/operation';
import { JinjaError } from '../values/jinja-error';
import { asNumber, isFloat, isNumber } from '../values/number';
import { fixed } from '../format/number-text';
import { toText } from '../values/text';
import { jinjaTypeName } from '../values/collections';
import { defined } from '../values/undefined';

/** Filters for paths and durations. */
export const pathFilters: NamedOperations = {
  basename: filterOperation([], (value) => baseName(toText(value))),
  dirname: filterOperation([], (value) => directoryName(toText(value))),
  to_human_time_from_seconds: filterOperation([], (value) => {
    if (!isNumber(defined(value)))
      throw new JinjaError('TypeError', `seconds must be a number, not ${jinjaTypeName(value)}`);
    const seconds = asNumber(value as number);
    return humanTime(isFloat(value) && seconds >= 1 ? Number(fixed(seconds, 0)) : seconds);
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

/** `1d2h3m4s`: starts at the largest unit that is not zero; microseconds below one second. */
function humanTime(seconds: number): string {
  if (seconds === 0) return '0s';
  if (seconds < 1) return `${Math.round(seconds * 1_000_000)}μs`;
  let rest = seconds;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || text !== '') text += `${count}${unit}`;
  }
  return text;
}
