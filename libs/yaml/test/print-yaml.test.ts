import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printYaml, type PrintableYaml, type YamlLayout } from '../src';

type Row = readonly [value: unknown, layout: YamlLayout, text: string];

const rows = readFileSync(join(__dirname, 'pyyaml/printed.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

function printable(value: unknown): PrintableYaml {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(printable) };
  if (typeof value !== 'object' || value === null) return { kind: 'plain', text: String(value) };
  const entries = Object.entries(value).map(([key, item]) => [printable(key), printable(item)] as const);
  return { kind: 'map', entries };
}

describe('printYaml', () => {
  it('writes the texts of PyYAML', () => {
    const different = rows.filter(([value, layout, text]) => printYaml(printable(value), layout) !== text);
    expect([different, rows.length]).toEqual([[], 400]);
  });

  it('writes keys that are no texts, and falls back to an indent of 2', () => {
    const list = printable(['a']);
    const value: PrintableYaml = { kind: 'map', entries: [[printable(1), list], [list, printable({ x: [] })]] }; // oxfmt-ignore
    expect(printYaml(value, { indent: 1, unicode: true })).toBe('1:\n- a\n? - a\n: x: []\n');
  });
});
