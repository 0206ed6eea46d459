import type { PrintableYaml } from '@switchyard/yaml';
import { charge, chargeFor } from '../run/budget';
import { compareJinja } from '../values/compare';
import { isJinjaDict, isJinjaList, jinjaDictEntries } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { isNumber } from '../values/number';
import { notData } from '../values/plain';
import { numberText } from '../values/text';
import { Undefined } from '../values/undefined';

const DEEPEST = 500;

/** A value as YAML can represent it, with sorted keys. @throws JinjaError for a value that is not data */
export function yamlTree(value: unknown, depth = 0): PrintableYaml {
  charge(1);
  if (depth > DEEPEST) throw new JinjaError('RecursionError', 'maximum recursion depth exceeded');
  if (value === null || value === undefined) return { kind: 'plain', text: 'null' };
  if (typeof value === 'boolean') return { kind: 'plain', text: String(value) };
  if (isNumber(value)) return { kind: 'plain', text: yamlNumber(numberText(value)) };
  if (typeof value === 'string') {
    chargeFor(value);
    return { kind: 'text', text: value };
  }
  if (isJinjaList(value)) return { kind: 'list', items: value.map((item) => yamlTree(item, depth + 1)) };
  if (isJinjaDict(value)) return { kind: 'map', entries: sortedEntries(jinjaDictEntries(value), depth + 1) };
  return value instanceof Undefined ? value.fail() : notData(value);
}

const sortedEntries = (entries: readonly [unknown, unknown][], depth: number) =>
  sorted(entries).map(([key, item]) => [yamlTree(key, depth), yamlTree(item, depth)] as const);

/** Keys of different types keep their order, as Python cannot compare them. */
function sorted(entries: readonly [unknown, unknown][]): readonly [unknown, unknown][] {
  const comparable = [(key: unknown) => typeof key === 'string', isNumber].some((is) =>
    entries.every(([key]) => is(key)),
  );
  return comparable ? entries.toSorted(([a], [b]) => compareJinja(a, b)) : entries;
}

/** YAML 1.1 reads an exponent as a number only after a decimal point. */
function yamlNumber(text: string): string {
  if (/^-?(?:inf|nan)$/.test(text)) return text.replace(/inf|nan/, '.$&');
  return text.includes('.') ? text : text.replace('e', '.0e');
}
