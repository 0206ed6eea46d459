import { checkGrant, compileSchema, type GivenGrant, type Schema, type ValuePath } from '@switchyard/model';
import { isSystemRole } from './system-roles';

const name = { type: 'string', minLength: 1, maxLength: 1024, required: true };
const description = { type: 'string' };
const enabled = { type: 'boolean', default: true };
const roles = { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, required: true };

const grant = {
  type: 'object',
  properties: {
    resource_uid: { type: 'string', minLength: 1 },
    permission_types: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true, required: true },
  },
  additionalProperties: false,
};

const shape = (properties: Schema): Schema => ({ type: 'object', properties, additionalProperties: false });

/** What each kind of file contains, by the name of its directory. */
const shapes = {
  roles: shape({ name, description, enabled, permission_grants: { type: 'array', items: grant, default: [] } }),
  assignments: shape({ username: name, description, enabled, roles }),
  mappings: shape({ group: name, description, enabled, roles }),
} as const;

export type DefinitionKind = keyof typeof shapes;

export interface RoleFile {
  readonly name: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly permission_grants: readonly GivenGrant[];
}

export interface AssignmentFile {
  readonly username: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly roles: readonly string[];
}

export interface MappingFile {
  readonly group: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly roles: readonly string[];
}

interface Files {
  roles: RoleFile;
  assignments: AssignmentFile;
  mappings: MappingFile;
}

export interface ShapeProblem {
  readonly path: ValuePath;
  readonly text: string;
}

export type CheckedFile<K extends DefinitionKind> =
  | { readonly file: Files[K]; readonly problems?: never }
  | { readonly problems: readonly ShapeProblem[] };

/** Checks one file without regard to the others. */
export function checkFile<K extends DefinitionKind>(kind: K, value: unknown): CheckedFile<K> {
  const outcome = compileSchema(shapes[kind], { allowNone: true }).check(value);
  if (!outcome.ok) return { problems: [{ path: outcome.violation.path, text: outcome.violation.message }] };
  const given = withoutNulls(outcome.value as Record<string, unknown>);
  const problems = kind === 'roles' ? roleProblems(given as unknown as RoleFile) : [];
  return problems.length > 0 ? { problems } : { file: given as unknown as Files[K] };
}

/** YAML reads a key without a value as null. */
const withoutNulls = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, given]) => given !== null));

function roleProblems({ name: role, permission_grants: grants }: RoleFile): ShapeProblem[] {
  const taken = isSystemRole(role)
    ? [{ path: ['name'], text: `"${role}" is a role of the system, which files cannot define` }]
    : [];
  const wrong = grants.flatMap((given, index) =>
    checkGrant(given).map(({ path, text }) => ({ path: ['permission_grants', index, ...path], text })),
  );
  return [...taken, ...wrong];
}
