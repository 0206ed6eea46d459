import ts from 'typescript';

/** The functions of a file that have more lines than allowed, as `path:line name`. A function counts with those inside it. */
export function longFunctions(path: string, text: string, mostLines: number): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const waiting: ts.Node[] = [source];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    ts.forEachChild(node, (child) => void waiting.push(child));
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) continue;
    const first = lineOf(node.getStart(source));
    if (lineOf(node.end) - first + 1 > mostLines) found.push(`${path}:${first + 1} ${nameOf(node)}`);
  }
  return found.sort();
}

function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  if (name) return name.getText();
  return ts.isVariableDeclaration(parent) ? parent.name.getText() : 'a function without a name';
}
