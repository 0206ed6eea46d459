import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The recorded vectors in the checkout. npm runs everything in its root. */
const RECORDED = resolve('test/conformance/recorded');

/** The inputs in `own`, followed by those that `take` finds in the lines of a recorded file. */
export function seedsOf(
  file: string,
  take: (line: Record<string, unknown>) => unknown,
  own: readonly string[],
): string[] {
  const lines = readFileSync(join(RECORDED, file), 'utf8').split('\n').filter((line) => line.trim() !== ''); // oxfmt-ignore
  const taken = lines.map((line) => take(JSON.parse(line) as Record<string, unknown>));
  return [...own, ...taken.filter((seed): seed is string => typeof seed === 'string')];
}

/** Data for expressions to read. */
export const VARIABLES: Readonly<Record<string, unknown>> = {
  num: 7, neg: -4, zero: 0, pi: 3.25, flag: true, off: false, nothing: null, text: 'Hello World', empty: '',
  uni: 'Žluťoučký kůň', csv: 'a,b,,c', ints: [5, 3, 8, 1, 3], strs: ['pear', 'apple', 'fig', 'apple'],
  mixed: [1, 'a', null, true], none_list: [], dict: { a: 1, b: { c: [10, 20] }, 'key with space': 'v' },
  hosts: [{ name: 'web1', up: true, load: 0.5, tags: ['web', 'eu'] }, { name: 'db1', up: false, load: 2.25, tags: ['db'] }],
  pairs: [['x', 1], ['y', 2]], name: 'web1', items: [3, 1, 2], json: '{"a": [1, 2], "b": "x"}', ver: '1.2.3',
}; // oxfmt-ignore
