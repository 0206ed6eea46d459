import { fault, isPlainObject } from '@switchyard/base';
import { MASK } from '../masking/mask';
import { pythonRepr } from './python-repr';
import type { Check, Path, Run, Schema, Violation } from './violation';

/** What a keyword needs to know when it is compiled: the schema it stands in, and how to compile the ones below. */
export interface SchemaSite {
  readonly schema: Schema;
  readonly path: Path;
  /** Null is admitted besides what the schema says. */
  readonly nullable: boolean;
  /** Values here, and below, are not shown in messages. */
  readonly secret: boolean;
  readonly allowNone: boolean;
  /** Compiles a subschema. @param steps the way to it from this schema */
  readonly below: (schema: unknown, steps: Path, nullable?: boolean) => Check;
  /** The check of a reference such as `#/definitions/name`. */
  readonly refer: (reference: string) => Check;
}

/** Builds the check of one keyword, or nothing where the keyword has no effect. */
export type Keyword = (setting: unknown, site: SchemaSite) => Check | undefined;

/** How a value is shown in a message. */
export const show = (site: SchemaSite, value: unknown): string => pythonRepr(site.secret ? MASK : value);

export interface Finding {
  readonly message: () => string;
  readonly context?: readonly Violation[];
  /** A step further down, for a property that is missing. */
  readonly step?: string;
}

export function report(site: SchemaSite, keyword: string, value: unknown, run: Run, finding: Finding): void {
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

/** Stops the compilation of a schema that makes no sense. */
export function refuse(path: Path, reason: string): never {
  throw fault('schema.invalid', { path: path.length === 0 ? 'the top' : path.join('.'), reason });
}

export function schemaOf(value: unknown, path: Path): Schema {
  return isPlainObject(value) ? value : refuse(path, `expected an object, got ${pythonRepr(value)}`);
}

export function numberOf(value: unknown, path: Path): number {
  return typeof value === 'number' ? value : refuse(path, `expected a number, got ${pythonRepr(value)}`);
}
