import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { loadYaml, locateYaml, YamlError, type YamlStep } from '@switchyard/yaml';
import {
  checkFile,
  type AssignmentFile,
  type DefinitionKind,
  type MappingFile,
  type RoleFile,
  type ShapeProblem,
} from './definition-shapes';
import { isSystemRole } from './system-roles';

/** A valid file, and the positions of its values. */
export interface DefinitionFile<T> {
  /** Relative to the directory of the definitions, such as `roles/deployers.yaml`. */
  readonly path: string;
  readonly content: T;
  lineOf(path: readonly YamlStep[]): number;
}

export interface RoleFileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What the files define. Disabled ones are left out; they are checked, but define nothing. */
export interface RoleDefinitions {
  readonly directory: string;
  readonly roles: readonly DefinitionFile<RoleFile>[];
  readonly assignments: readonly DefinitionFile<AssignmentFile>[];
  readonly mappings: readonly DefinitionFile<MappingFile>[];
  readonly problems: readonly RoleFileProblem[];
}

/**
 * Reads `roles/*.yaml`, `assignments/*.yaml` and `mappings/*.yaml` in the order of their names, and finds every problem.
 * @throws Fault `auth.role-definitions` if the directory itself cannot be read: no files would mean no roles
 */
export async function readRoleDefinitions(directory: string): Promise<RoleDefinitions> {
  const problems: RoleFileProblem[] = [];
  const read = async <K extends DefinitionKind>(kind: K) => filesOf(directory, kind, problems);
  await readdir(directory).catch((cause: unknown) => {
    throw fault('auth.role-definitions', { text: `${directory} cannot be read: ${messageOf(cause)}` }, { cause });
  });
  const roles = await read('roles');
  const assignments = await read('assignments');
  const mappings = await read('mappings');
  problems.push(
    ...repeated(roles, 'name', ({ name }) => name),
    ...repeated(assignments, 'username', ({ username }) => username),
    ...repeated(mappings, 'group', ({ group }) => group),
  );
  const enabled = { roles: onlyEnabled(roles), assignments: onlyEnabled(assignments), mappings: onlyEnabled(mappings) };
  const known = new Set(enabled.roles.map(({ content }) => content.name));
  // A role whose own file is broken would otherwise be reported again wherever it is assigned.
  if (problems.length === 0)
    problems.push(...[...enabled.assignments, ...enabled.mappings].flatMap(unknownRoles(known)));
  return { directory, ...enabled, problems };
}

export const describeProblem = ({ file, line, text }: RoleFileProblem): string => `${file}: line ${line}: ${text}`;

type Files<K extends DefinitionKind> = DefinitionFile<
  { roles: RoleFile; assignments: AssignmentFile; mappings: MappingFile }[K]
>[];

async function filesOf<K extends DefinitionKind>(
  directory: string,
  kind: K,
  problems: RoleFileProblem[],
): Promise<Files<K>> {
  const files: Files<K> = [];
  for (const name of await entriesOf(directory, kind, problems)) {
    const path = `${kind}/${name}`;
    if (name.endsWith('.yml')) problems.push({ file: path, line: 1, text: 'The name must end in .yaml, not .yml' });
    if (!name.endsWith('.yaml') || name.startsWith('.')) continue;
    const text = await readText(join(directory, path), path, problems);
    if (text === undefined) continue;
    const { content, lineOf, found } = checkText(kind, text);
    problems.push(...found.map((problem) => ({ file: path, ...problem })));
    if (content !== undefined) files.push({ path, content, lineOf });
  }
  return files;
}

/** Names in order. A missing subdirectory is an empty one. */
async function entriesOf(directory: string, kind: DefinitionKind, problems: RoleFileProblem[]): Promise<string[]> {
  try {
    return (await readdir(join(directory, kind))).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    problems.push({ file: kind, line: 1, text: `Cannot be read: ${messageOf(error)}` });
    return [];
  }
}

async function readText(file: string, path: string, problems: RoleFileProblem[]): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    problems.push({ file: path, line: 1, text: `Cannot be read: ${messageOf(error)}` });
    return undefined;
  }
}

type Found = Omit<RoleFileProblem, 'file'>;

interface CheckedText<K extends DefinitionKind> {
  readonly content?: Files<K>[number]['content'];
  readonly found: readonly Found[];
  lineOf(path: readonly YamlStep[]): number;
}

/** A duplicate key, or one that YAML does not read as a text, would silently grant something else. */
const MISLEADING = ['duplicate-key', 'key-not-text'];

function checkText<K extends DefinitionKind>(kind: K, text: string): CheckedText<K> {
  try {
    const { value, root, warnings } = loadYaml(text);
    const lineOf = (path: readonly YamlStep[]) => (root === undefined ? 1 : locateYaml(root, path).line);
    const misleading = warnings.filter(({ kind: of }) => MISLEADING.includes(of));
    if (misleading.length > 0) return { found: misleading.map(({ line, text: why }) => ({ line, text: why })), lineOf };
    if (value === null) return { found: [{ line: 1, text: 'The file is empty' }], lineOf };
    const checked = checkFile(kind, value);
    if (checked.problems) return { found: checked.problems.map((problem) => placed(problem, lineOf)), lineOf };
    return { content: checked.file, found: [], lineOf };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { found: [{ line: error.line, text: error.message }], lineOf: () => error.line };
  }
}

function placed({ path, text }: ShapeProblem, lineOf: (path: readonly YamlStep[]) => number): Found {
  const field = path.join('.');
  return { line: lineOf(path), text: field === '' ? text : `${field}: ${text}` };
}

function repeated<T>(files: readonly DefinitionFile<T>[], field: string, of: (content: T) => string) {
  const first = new Map<string, string>();
  return files.flatMap(({ path, content, lineOf }): RoleFileProblem[] => {
    const value = of(content);
    const before = first.get(value);
    if (before === undefined) first.set(value, path);
    if (before === undefined) return [];
    return [{ file: path, line: lineOf([field]), text: `${field}: "${value}" is already defined in ${before}` }];
  });
}

const onlyEnabled = <T extends { readonly enabled: boolean }>(files: readonly DefinitionFile<T>[]) =>
  files.filter(({ content }) => content.enabled);

const unknownRoles =
  (known: ReadonlySet<string>) =>
  ({ path, content, lineOf }: DefinitionFile<{ readonly roles: readonly string[] }>): RoleFileProblem[] =>
    content.roles.flatMap((role, index) =>
      known.has(role) || isSystemRole(role)
        ? []
        : [{ file: path, line: lineOf(['roles', index]), text: `roles: No enabled file defines the role "${role}"` }],
    );
