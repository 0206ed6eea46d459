import { fault } from '@switchyard/base';
import { bestMatch } from './best-match';
import { BoundedCache } from './bounded-cache';
import { buildCheck } from './build-check';
import { fillDefaults } from './fill-defaults';
import {
  startValidation,
  type Check,
  type ValuePath,
  type ValidationRun,
  type Schema,
  type Violation,
} from './violation';

export interface SchemaOptions {
  /** Optional properties without a non-null default also accept null. Default: false. */
  readonly allowNone?: boolean;
  /** Fills in defaults for missing and null properties before the check. Default: true. */
  readonly fillDefaults?: boolean;
  /** Which of several violations to report: the most relevant one, or the first in schema order. Default: best. */
  readonly pick?: 'best' | 'first';
}

export interface SchemaViolation {
  /** The message of Python's jsonschema: `'cmd' is a required property`. Secret values are masked. */
  readonly message: string;
  readonly keyword: string;
  readonly path: ValuePath;
  readonly schemaPath: ValuePath;
}

export type SchemaOutcome =
  | {
      readonly ok: true;
      /** The value with defaults filled in. Shares unchanged parts with the input. */
      readonly value: unknown;
    }
  | { readonly ok: false; readonly violation: SchemaViolation };

export interface CompiledSchema {
  /** @throws fault `regex.too-slow`, `schema.too-deep` or `schema.too-costly` */
  check(value: unknown): SchemaOutcome;
  /**
   * The value with its defaults.
   * @param under path of the value in the user's input
   * @throws fault `schema.violated` with the violation's message and its `field`, and those of `check`
   */
  assert(value: unknown, under?: ValuePath): unknown;
}

const byIdentity = new WeakMap<Schema, Map<string, CompiledSchema>>();
const byContent = new BoundedCache<string, CompiledSchema>(500);

/**
 * Compiles a schema in the users' dialect: draft 4, with `required: true` in the property's own schema (or the list form).
 * `format` is not enforced, and unknown keywords are ignored. Compiled schemas are cached by object and by content, so do not
 * change a schema object after its first use.
 * @throws fault `schema.invalid` or `regex.invalid` for an invalid schema
 */
export function compileSchema(schema: Schema, options: SchemaOptions = {}): CompiledSchema {
  const { allowNone = false, fillDefaults: fills = true, pick = 'best' } = options;
  const variant = `${allowNone}/${fills}/${pick}`;
  const variants = byIdentity.get(schema) ?? new Map<string, CompiledSchema>();
  byIdentity.set(schema, variants);
  const known = variants.get(variant);
  if (known) return known;
  const make = (): CompiledSchema => compiled(schema, { allowNone, fillDefaults: fills, pick });
  const made = byContent.get(
    withinDepth(() => `${variant}/${JSON.stringify(schema)}`),
    make,
  );
  variants.set(variant, made);
  return made;
}

/**
 * Rejects the schemas that `compileSchema` rejects. Caches nothing, because the thousands of schemas that are checked
 * when packs are registered would displace those in use.
 * @throws fault `schema.invalid`, `regex.invalid` or `schema.too-deep`
 */
export const checkSchema = (schema: Schema): void => void withinDepth(() => buildCheck(schema, false));

function compiled(schema: Schema, { allowNone, fillDefaults: fills, pick }: Required<SchemaOptions>): CompiledSchema {
  const root = withinDepth(() => buildCheck(schema, allowNone));
  const run = (given: unknown): SchemaOutcome => {
    const value = fills ? fillDefaults(given, schema) : given;
    const { violations } = checked(root, value);
    const [first] = violations;
    if (!first) return { ok: true, value };
    return { ok: false, violation: published(pick === 'first' ? first : bestMatch(violations)) };
  };
  const check = (given: unknown): SchemaOutcome => withinDepth(() => run(given));
  const assert = (given: unknown, under: ValuePath = []): unknown => {
    const outcome = check(given);
    if (outcome.ok) return outcome.value;
    const field = [...under, ...violatedField(outcome.violation)].join('.');
    throw fault('schema.violated', { text: outcome.violation.message }, field === '' ? {} : { extra: { field } });
  };
  return { check, assert };
}

function checked(check: Check, value: unknown): ValidationRun {
  const run = startValidation(value);
  check(value, run);
  return run;
}

/** Values and schemas come from users, so exhausting the stack is an ordinary rejection. */
function withinDepth<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw fault('schema.too-deep', {}, { cause: thrown });
    throw thrown;
  }
}

const published = ({ message, keyword, path, schemaPath }: Violation): SchemaViolation => ({
  message: message(),
  keyword,
  path,
  schemaPath,
});

const MISSING = /^'(.*)' is a required property$/s;

/**
 * The field of a violation. The messages, which are those of Python's jsonschema, do not contain it. For a missing property,
 * the path leads to the object that lacks it, so its name comes from the message.
 */
function violatedField({ path, keyword, message }: Pick<SchemaViolation, 'path' | 'keyword' | 'message'>): ValuePath {
  const missing = keyword === 'required' ? MISSING.exec(message)?.[1] : undefined;
  return missing === undefined || path.at(-1) === missing ? path : [...path, missing];
}
