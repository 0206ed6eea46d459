import ts from 'typescript';

/** The functions of a file that call themselves, directly or through others in the file. Methods are `this.name`. */
export function recursiveFunctions(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const functions = declared(source);
  const calls = new Map([...functions].map(([name, node]) => [name, mentioned(node, functions)]));
  return [...functions.keys()].filter((name) => leadsTo(calls, name, name)).sort();
}

function declared(source: ts.SourceFile): Map<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  each(source, (node) => {
    if (ts.isFunctionDeclaration(node) && node.name) found.set(node.name.text, node);
    else if (ts.isMethodDeclaration(node)) found.set(`this.${node.name.getText()}`, node);
    else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isFunction(node.initializer))
      found.set(node.name.text, node);
  });
  return found;
}

const isFunction = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** Includes functions that are only passed on, as in `values.map(copy)`. */
function mentioned(node: ts.Node, functions: ReadonlyMap<string, ts.Node>): Set<string> {
  const found = new Set<string>();
  each(node, (inner) => {
    if (ts.isPropertyAccessExpression(inner) && inner.expression.kind === ts.SyntaxKind.ThisKeyword)
      found.add(`this.${inner.name.text}`);
    if (ts.isIdentifier(inner) && !isName(inner)) found.add(inner.text);
  });
  return new Set([...found].filter((name) => functions.has(name)));
}

/** A member or declaration with the name, which is not a call. */
const isName = ({ parent, ...node }: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(parent) && parent.name.pos === node.pos) ||
  ((ts.isPropertyAssignment(parent) || ts.isFunctionDeclaration(parent) || ts.isVariableDeclaration(parent)) &&
    parent.name?.pos === node.pos);

function leadsTo(calls: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [...(calls.get(from) ?? [])];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true;
    if (!seen.has(name)) waiting.push(...(calls.get(name) ?? []));
    seen.add(name);
  }
  return false;
}

function each(node: ts.Node, look: (node: ts.Node) => void): void {
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    look(next);
    ts.forEachChild(next, (child) => void waiting.push(child));
  }
}
