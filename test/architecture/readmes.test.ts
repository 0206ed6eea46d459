import { basename } from 'node:path';
import ts from 'typescript';
import { codes, exists, packages, read, sourcesOf } from './workspace';

/** The sources of each package, and its manifest with the names of its programs. */
const texts = new Map(
  packages.map((of) => [of.directory, [`${of.directory}/package.json`, ...sourcesOf(of)].map(read).join('\n')]),
);
const all = [...texts.values()].join('\n');
const files = new Set(packages.flatMap(sourcesOf).map((file) => basename(file)));
const examplesIn = (page: string): string[] =>
  [...page.matchAll(/^```tsx?\n(.*?)^```/gms)].map(([, text = '']) => text);
const isWordIn = (text: string, name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

/** The names at the start of list items and table rows: `createClient(options)` is `createClient`. */
const exportsIn = (page: string): string[] =>
  page
    .split('\n')
    .filter((line) => /^(- |\| )`/.test(line))
    .flatMap((line) => codes(/^(?:- |\| )((?:`[^`]+`(?:,? (?:and )?)?)+)/.exec(line)?.[1] ?? ''))
    .map((code) => code.replace(/[(\s].*$/, ''));

describe.each(packages.map(({ directory }) => [directory]))('the README of %s', (directory) => {
  const page = exists(`${directory}/README.md`) ? read(`${directory}/README.md`) : '';

  it('lists at least three exports, which exist', () => {
    const text = texts.get(directory) ?? '';
    const named = exportsIn(page);
    expect(named.length).toBeGreaterThanOrEqual(3);
    expect(named.filter((name) => !name.startsWith('@') && !isWordIn(text, name))).toEqual([]);
  });

  it('has an example that parses, whose imports and functions exist', () => {
    const examples = examplesIn(page);
    const names = examples.flatMap((example) => [...importsIn(example), ...callsIn(example)]);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.flatMap(syntaxErrors)).toEqual([]);
    expect(names.filter((name) => !isWordIn(all, name))).toEqual([]);
  });

  it('names files that exist', () => {
    const named = codes(page).filter((code) => /^[\w-]+(\/[\w-]+)*\.(ts|tsx|mjs)$/.test(code));
    expect(named.filter((code) => !(code.includes('/') ? exists(`${directory}/${code}`) : files.has(code)))).toEqual(
      [],
    );
  });
});

const importsIn = (example: string): string[] =>
  [...example.matchAll(/^import (?:type )?\{([^}]*)\} from '@switchyard\//gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*type /, '').trim()),
  );

/** Functions such as `createClient(…)`, which the example does not define itself. */
const callsIn = (example: string): string[] =>
  [...example.matchAll(/(?<![\w.])([a-z]+[A-Z]\w*)\(/g)].map(([, name = '']) => name);

const syntaxErrors = (example: string): string[] =>
  (
    ts.transpileModule(example, {
      reportDiagnostics: true,
      fileName: 'example.tsx',
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.ReactJSX },
    }).diagnostics ?? []
  ).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
