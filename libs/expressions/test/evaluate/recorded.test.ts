import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { evaluate, ExpressionError, inspectText } from '../../src';
import { scopeOf } from './scope-of';

const folder = resolve(__dirname, '../../../../../shared/conformance');
const describeVectors = existsSync(folder) ? describe : describe.skip;
if (!existsSync(folder)) console.info('Skipped: the recorded vectors are not beside this checkout.');

const lines = (path: string): Record<string, unknown>[] =>
  readFileSync(join(folder, path), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore

/** Every text in a value, keys included. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...textsOf(item)]);
}

describeVectors('recorded workflows', () => {
  const traces = existsSync(folder) ? readdirSync(join(folder, 'workflows')).flatMap((name) => lines(`workflows/${name}`)) : []; // prettier-ignore
  // Inline `publish: p1=<% … %> p2={{ … }}` is cut into its pairs before expressions are looked at.
  const texts = new Set(traces.flatMap(({ definition }) => textsOf(definition)).filter((text) => !/^p\d=/.test(text)));

  test('have no expression that inspection finds a problem in', () => {
    expect(texts.size).toBeGreaterThan(100);
    expect([...texts].flatMap(inspectText).filter(({ problem }) => problem !== undefined)).toEqual([]);
  });
});

describeVectors('recorded failures of YAQL', () => {
  const variables = existsSync(folder)
    ? (JSON.parse(readFileSync(join(folder, 'yaql-context.json'), 'utf8')) as Record<string, unknown>)
    : {};
  const failing = existsSync(folder) ? lines('yaql.jsonl').filter(({ error }) => error === true) : [];

  test('have the same frame around their cause', () => {
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

/** Undefined where it gives a value here: the tests of YAQL know which those are, and why. */
function messageOf(expression: string, variables: Record<string, unknown>): string | undefined {
  try {
    evaluate(expression, scopeOf(variables));
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
