import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspectText, workflowFunctions } from '../src';
import { FILTERS } from '../src/jinja/filters';
import { library } from '../src/yaql/library';

const page = readFileSync(resolve(__dirname, '../../../docs/expressions.md'), 'utf8');
const named = new Set([...page.matchAll(/`([\w#]+)(?:\([^`]*\))?`/g)].map(([, name = '']) => name));

const lacking = (names: Iterable<string>): string[] =>
  [...names].filter((name) => /^\w+$/.test(name) && !named.has(name)).sort();

describe('docs/expressions.md', () => {
  it('names every function of workflows', () => {
    const functions = workflowFunctions({ variables: {}, taskStatus: () => undefined });
    expect(lacking(functions.keys())).toEqual([]);
  });

  it('names every function of YAQL', () => {
    expect(lacking(library.names)).toEqual([]);
  });

  it('names every filter of Jinja', () => {
    expect(lacking(Object.keys(FILTERS))).toEqual([]);
  });

  it('has only valid examples', () => {
    const [yaql = '', jinja = ''] = [...page.matchAll(/```\n([\s\S]*?)```/g)].map(([, text]) => text);
    const findings = [...yaql.split('\n').flatMap(inspectText), ...inspectText(jinja)];
    expect(findings.map(({ problem }) => problem)).toEqual(findings.map(() => undefined));
    expect(findings.length).toBeGreaterThan(5);
  });
});
