import { join } from 'node:path';
import ts from 'typescript';
import { packages, ROOT } from './workspace';

/** Files that read options only to reject them or to warn, so these reads do not give the options an effect. */
const LOOKERS = ['check-configuration', 'load-config'].map((name) => `libs/config/src/${name}.ts`);

const TABLE_FILE = 'libs/config/src/option-table.ts';
const TABLE_NAME = 'optionTable';

/**
 * Finds the source files that read each option, by type: a property is an option if it is declared in the option table,
 * however the configuration was passed on. A read is an access by name or by a destructuring pattern. Passing on a whole
 * section is not a read; its receiver must access the options itself.
 * @param files paths relative to the root @param overlay texts that replace or add files
 * @returns the files by `section.option`
 */
export function optionReaders(
  files: readonly string[],
  overlay: ReadonlyMap<string, string> = new Map(),
): Map<string, Set<string>> {
  const program = programOf([TABLE_FILE, ...files], overlay);
  const checker = program.getTypeChecker();
  const options = declaredOptions(program, checker);
  const names = new Set([...options.values()].map((name) => name.split('.')[1]!));
  const readers = new Map<string, Set<string>>();
  for (const file of files) {
    if (LOOKERS.includes(file) || file.startsWith('libs/config/src/option')) continue;
    for (const symbol of symbolsRead(program.getSourceFile(join(ROOT, file))!, checker, names)) {
      const name = (symbol.declarations ?? []).map((node) => options.get(node)).find((found) => found !== undefined);
      if (name !== undefined) readers.set(name, (readers.get(name) ?? new Set()).add(file));
    }
  }
  return readers;
}

/** Skips third-party packages: no configuration passes through them, and they are most of the work. */
function programOf(files: readonly string[], overlay: ReadonlyMap<string, string>): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.CommonJS,
    strict: true,
    noEmit: true,
    types: [],
  };
  const texts = new Map([...overlay].map(([file, text]) => [join(ROOT, file), text]));
  const host = ts.createCompilerHost(options);
  const [readFile, fileExists] = [host.readFile.bind(host), host.fileExists.bind(host)];
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  const cache = ts.createModuleResolutionCache(ROOT, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const own = ownPackage(text);
      if (own === undefined && !text.startsWith('.')) return { resolvedModule: undefined };
      return ts.resolveModuleName(own ?? text, containing, options, host, cache);
    });
  return ts.createProgram({ rootNames: files.map((file) => join(ROOT, file)), options, host });
}

function ownPackage(specifier: string): string | undefined {
  const [, name, rest = 'index'] = /^@switchyard\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const found = packages.find((known) => known.name === name);
  return found && join(ROOT, found.directory, 'src', rest);
}

/** The declarations of all options. */
function declaredOptions(program: ts.Program, checker: ts.TypeChecker): Map<ts.Node, string> {
  const file = program.getSourceFile(join(ROOT, TABLE_FILE))!;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file)!);
  const table = exported.find(({ name }) => name === TABLE_NAME)!;
  const options = new Map<ts.Node, string>();
  for (const section of checker.getTypeOfSymbol(table).getProperties()) {
    for (const option of checker.getTypeOfSymbol(section).getProperties()) {
      for (const declaration of option.declarations ?? []) options.set(declaration, `${section.name}.${option.name}`);
    }
  }
  return options;
}

/** The properties with these names that a file reads. */
function symbolsRead(file: ts.SourceFile, checker: ts.TypeChecker, names: ReadonlySet<string>): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const note = (object: ts.Node, name: string) => {
    const symbol = names.has(name) ? checker.getTypeAtLocation(object).getProperty(name) : undefined;
    if (symbol) found.push(symbol);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(node.expression, node.name.text);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
      note(node.expression, node.argumentExpression.text);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) note(node.parent, name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
