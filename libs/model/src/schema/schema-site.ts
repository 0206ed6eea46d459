import { fault, isPlainObject } from '@switchyard/base';
import { MASK } from '../masking/mask';
import { typeNameOf } from './json-types';
import { pythonRepr } from './python-repr';
import type { Check, ValuePath, ValidationRun, Schema, Violation } from './violation';

/** The context of a keyword at compile time: its schema, and how to compile nested schemas. */
export interface SchemaSite {
  readonly schema: Schema;
  readonly path: ValuePath;
  /** Accepts null in addition to the schema. */
  readonly nullable: boolean;
  /** Whether values here, and below, are secret. */
  readonly secret: boolean;
  /** Whether a value here is or may contain a secret, so that messages must not show it. May have to visit all nested schemas. */
  readonly hides: (value: unknown) => boolean;
  /** Whether optional properties here accept null. */
  readonly allowNone: boolean;
  /** Compiles a subschema. @param steps its path from this schema */
  readonly below: (schema: unknown, steps: ValuePath, none?: NoneAllowed) => Check;
  /** The check of a reference such as `#/definitions/name`. */
  readonly refer: (reference: string) => Check;
}

export interface NoneAllowed {
  /** Instead of a value of the schema. */
  readonly nullable?: boolean;
  /** For optional properties in it. */
  readonly allowNone?: boolean;
}

/** Builds the check of one keyword, or nothing if the keyword has no effect. */
export type Keyword = (setting: unknown, site: SchemaSite) => Check | undefined;

/** Formats a value for a message. */
export const show = (site: SchemaSite, value: unknown): string => pythonRepr(site.hides(value) ? MASK : value);

/** The same for messages about types, which also show the type of a hidden value. */
export const showWithType = (site: SchemaSite, value: unknown): string =>
  site.hides(value) ? `${pythonRepr(MASK)} of type ${pythonRepr(typeNameOf(value))}` : pythonRepr(value);

/** Whether this schema marks any part of a value as secret. @param root the schema that its references point into */
export const marksSecrets = (schema: Schema, root: Schema): boolean =>
  mentions(root, SECRET) && (mentions(schema, SECRET) || mentions(schema, '"$ref":'));

const SECRET = '"secret":true';
const mentions = (schema: Schema, member: string): boolean => JSON.stringify(schema).includes(member);

export interface SchemaFinding {
  readonly message: () => string;
  readonly context?: readonly Violation[];
  /** A path one step further down, for a missing property. */
  readonly step?: string;
}

export function report(
  site: SchemaSite,
  keyword: string,
  value: unknown,
  run: ValidationRun,
  finding: SchemaFinding,
): void {
  run.violations.push({
    keyword,
    value,
    schema: site.schema,
    path: finding.step === undefined ? [...run.path] : [...run.path, finding.step],
    schemaPath:
      finding.step === undefined ? [...site.path, keyword] : [...site.path, 'properties', finding.step, keyword],
    message: finding.message,
    context: finding.context ?? [],
  });
}

/** Aborts the compilation of an invalid schema. */
export function refuseSchema(path: ValuePath, reason: string): never {
  throw fault('schema.invalid', { path: path.length === 0 ? 'the top' : path.join('.'), reason });
}

export function subschemaOf(value: unknown, path: ValuePath): Schema {
  return isPlainObject(value) ? value : refuseSchema(path, `expected an object, got ${pythonRepr(value)}`);
}

export function numberOf(value: unknown, path: ValuePath): number {
  return typeof value === 'number' ? value : refuseSchema(path, `expected a number, got ${pythonRepr(value)}`);
}
