import { fault } from '@switchyard/base';
import { bestMatch } from './best-match';
import { BoundedCache } from './bounded-cache';
import { buildCheck } from './build-check';
import { fillDefaults } from './fill-defaults';
import { violatedField } from './violated-field';
import { startRun, type Check, type Path, type Run, type Schema, type Violation } from './violation';

export interface SchemaOptions {
  /** Optional properties without a default other than null also accept null. Default: false. */
  readonly allowNone?: boolean;
  /** Defaults are put in place of missing and null properties before the check. Default: true. */
  readonly fillDefaults?: boolean;
  /** Of several violations: the most telling one, or the first in the order of the schema. Default: best. */
  readonly pick?: 'best' | 'first';
}

export interface SchemaViolation {
  /** In the wording of Python's jsonschema: `'cmd' is a required property`. Secret values are masked in it. */
  readonly message: string;
  readonly keyword: string;
  readonly path: Path;
  readonly schemaPath: Path;
}

export type SchemaOutcome =
  | { readonly ok: true; /** with defaults filled in; shares unchanged parts with the input */ readonly value: unknown }
  | { readonly ok: false; readonly violation: SchemaViolation };

export interface CompiledSchema {
  /** @throws fault `regex.too-slow`, `schema.too-deep` or `schema.too-costly` */
  check(value: unknown): SchemaOutcome;
  /**
   * The value with its defaults.
   * @param under where the value stands in what the user sent
   * @throws fault `schema.violated` with the violation's message and its `field`, and those of `check`
   */
  assert(value: unknown, under?: Path): unknown;
}

const byIdentity = new WeakMap<Schema, Map<string, CompiledSchema>>();
const byContent = new BoundedCache<string, CompiledSchema>(500);

/**
 * Compiles a schema in the users' dialect: draft 4 in which `required: true` stands in the property's own schema (the list
 * form counts too), `format` is not enforced, and unknown keywords mean nothing. Compiled schemas are kept, by the object
 * and by its content: a schema object must not be changed once it has been used.
 * @throws fault `schema.invalid` or `regex.invalid` for a schema that makes no sense
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
  const assert = (given: unknown, under: Path = []): unknown => {
    const outcome = check(given);
    if (outcome.ok) return outcome.value;
    const field = [...under, ...violatedField(outcome.violation)].join('.');
    throw fault('schema.violated', { text: outcome.violation.message }, field === '' ? {} : { extra: { field } });
  };
  return { check, assert };
}

function checked(check: Check, value: unknown): Run {
  const run = startRun();
  check(value, run);
  return run;
}

/** Values and schemas come from users; one that exhausts the stack is refused like any other that is wrong. */
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
