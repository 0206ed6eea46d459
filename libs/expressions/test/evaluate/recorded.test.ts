import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDED, recordedJson, recordedLines } from '@switchyard/testkit/recorded';
import { evaluate, ExpressionError, inspectText } from '../../src';
import { scopeOf } from './scope-of';

const lines = (file: string) => recordedLines<Record<string, unknown>>(file);

/** Every text in a value, keys included. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...textsOf(item)]);
}

describe('recorded workflows', () => {
  const traces = readdirSync(join(RECORDED, 'workflows')).flatMap((name) => lines(`workflows/${name}`));
  // Inline `publish: p1=<% … %> p2={{ … }}` is split into pairs before expressions are checked.
  const texts = new Set(traces.flatMap(({ definition }) => textsOf(definition)).filter((text) => !/^p\d=/.test(text)));

  test('contain no expression with a finding', () => {
    expect(texts.size).toBeGreaterThan(100);
    expect([...texts].flatMap(inspectText).filter(({ problem }) => problem !== undefined)).toEqual([]);
  });
});

describe('recorded failures of YAQL', () => {
  const variables = recordedJson<Record<string, unknown>>('yaql-context.json');
  const failing = lines('yaql.jsonl').filter(({ error }) => error === true);

  test('are wrapped in the same message', () => {
    const compared = failing.flatMap(({ expr, note }) => {
      const expression = `<% ${String(expr)} %>`;
      const message = messageOf(expression, variables);
      return message === undefined ? [] : [{ expression, message, note: String(note) }];
    });
    expect(compared.length).toBeGreaterThan(100);
    for (const { expression, message, note } of compared) {
      const frame = /^Unable to (?:resolve key '[^']*' in|evaluate) expression '/.exec(note)?.[0] ?? 'no frame';
      expect(message.slice(0, frame.length + expression.length)).toBe(frame + expression);
    }
  });
});

/** Undefined if the expression has a value here; the YAQL tests list those cases. */
function messageOf(expression: string, variables: Record<string, unknown>): string | undefined {
  try {
    evaluate(expression, scopeOf(variables));
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
