import { createSourceFile, getModifiers, canHaveModifiers, isIdentifier, isVariableStatement, ScriptTarget, SyntaxKind, type Statement } from 'typescript'; // oxfmt-ignore
import { packages, read, sourcesOf } from './workspace';

/** Names that several files export deliberately. */
const CONVENTIONS: ReadonlySet<string> = new Set([
  // The runner registry reads these from each runner.
  'manifest',
]);

/** The names that a file declares and exports, without re-exports. */
function declaredExports(file: string, text: string): string[] {
  return createSourceFile(file, text, ScriptTarget.Latest).statements.filter(isExported).flatMap(namesOf);
}

const isExported = (statement: Statement): boolean =>
  canHaveModifiers(statement) && (getModifiers(statement) ?? []).some(({ kind }) => kind === SyntaxKind.ExportKeyword);

function namesOf(statement: Statement): string[] {
  if (isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(
      ({ name }) =>
      isIdentifier(name) ? [name.text] : name.elements.flatMap((each) => ('name' in each && isIdentifier(each.name) ? [each.name.text] : [])), // oxfmt-ignore
    );
  const { name } = statement as { name?: { text: string } };
  return name === undefined ? [] : [name.text];
}

it('the search finds the names that a file declares and exports', () => {
  const text = `
    export const one = 1, { two } = other;
    export function three() {}
    export interface Four {}
    export type Four = string;
    export { five } from './five';
    const six = 6;
  `;
  expect(declaredExports('x.ts', text)).toEqual(['one', 'two', 'three', 'Four', 'Four']);
});

it('each exported name is declared in one file only', () => {
  const files = new Map<string, Set<string>>();
  for (const file of packages.flatMap(sourcesOf))
    for (const name of declaredExports(file, read(file))) files.set(name, (files.get(name) ?? new Set()).add(file));
  const twice = [...files].filter(([name, { size }]) => size > 1 && !CONVENTIONS.has(name));
  expect(twice.map(([name, declaring]) => [name, ...declaring])).toEqual([]);
});
