import { isFault, isPlainObject } from '@switchyard/base';
import { compileSchema, pythonRepr, type CompiledSchema, type ValuePath, type Schema } from '@switchyard/model';
import { isItemsText, ITEMS_PATTERN } from '../spec/shorthand/items-text';

export interface SyntaxViolation {
  readonly message: string;
  readonly path: ValuePath;
  readonly schemaPath: ValuePath;
  /** The last step to the cause: a property that is not allowed. */
  readonly cause?: string;
}

type Check = (value: unknown, path: ValuePath, found: SyntaxViolation[]) => void;

/**
 * Finds every violation of a draft 4 schema. `compileSchema` reports only one, so this walks the value and compiles
 * each keyword on its own. Supported: `properties`, `patternProperties`, `items` as an object, `required` as a list,
 * `additionalProperties: false`, and all keywords without subschemas.
 */
export function violationCheck(schema: Schema): (value: unknown) => readonly SyntaxViolation[] {
  const check = build(schema, []);
  return (value) => {
    const found: SyntaxViolation[] = [];
    check(value, [], found);
    return found;
  };
}

function build(schema: Schema, at: ValuePath): Check {
  const checks = Object.entries(schema).map(([keyword, setting]) => keywordCheck(keyword, setting, schema, at));
  return (value, path, found) => checks.forEach((check) => check(value, path, found));
}

function keywordCheck(keyword: string, setting: unknown, schema: Schema, at: ValuePath): Check {
  switch (keyword) {
    case 'properties':
      return properties(setting as Parts, [...at, keyword]);
    case 'patternProperties':
      return patternProperties(setting as Parts, [...at, keyword]);
    case 'items':
      return items(setting as Schema, [...at, keyword]);
    case 'required':
      return required(setting as readonly string[], [...at, keyword]);
    case 'additionalProperties':
      return unexpected(schema, [...at, keyword]);
    case 'pattern':
      if (setting === ITEMS_PATTERN) return itemsPattern([...at, keyword]);
      return single({ [keyword]: setting }, [...at, keyword]);
    default:
      return single({ [keyword]: setting, ...bounds(keyword, schema) }, [...at, keyword]);
  }
}

type Parts = Readonly<Record<string, Schema>>;

/** `exclusiveMinimum` only has a meaning with `minimum`. */
const bounds = (keyword: string, { exclusiveMinimum = false }: Schema): Schema =>
  keyword === 'minimum' ? { exclusiveMinimum } : {};

function properties(parts: Parts, at: ValuePath): Check {
  const checks = Object.entries(parts).map(([name, part]): [string, Check] => [name, build(part, [...at, name])]);
  return (value, path, found) => {
    if (!isPlainObject(value)) return;
    for (const [name, check] of checks) if (Object.hasOwn(value, name)) check(value[name], [...path, name], found);
  };
}

function patternProperties(parts: Parts, at: ValuePath): Check {
  const checks = Object.entries(parts).map(([pattern, part]) => ({
    fits: nameTest(pattern),
    check: build(part, [...at, pattern]),
  }));
  return (value, path, found) => {
    if (!isPlainObject(value)) return;
    for (const { fits, check } of checks) {
      for (const name of Object.keys(value)) if (fits(name)) check(value[name], [...path, name], found);
    }
  };
}

function nameTest(pattern: string): (name: string) => boolean {
  const test = compileSchema({ pattern });
  return (name) => test.check(name).ok;
}

function items(item: Schema, at: ValuePath): Check {
  const check = build(item, at);
  return (value, path, found) => {
    if (Array.isArray(value)) value.forEach((each, index) => check(each, [...path, index], found));
  };
}

function required(names: readonly string[], at: ValuePath): Check {
  return (value, path, found) => {
    if (!isPlainObject(value)) return;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      found.push({ message: `'${name}' is a required property`, path, schemaPath: at });
    }
  };
}

/** Checks names only; schemas of values are applied elsewhere. */
function unexpected({ properties: known = {}, patternProperties: patterns }: Schema, at: ValuePath): Check {
  const blank = (parts: unknown): Schema => Object.fromEntries(Object.keys(parts as Parts).map((name) => [name, {}]));
  const names = compileSchema({
    properties: blank(known),
    ...(patterns !== undefined && { patternProperties: blank(patterns) }),
    additionalProperties: false,
  });
  const isKnown = (name: string): boolean => names.check({ [name]: null }).ok;
  return (value, path, found) => {
    const outcome = names.check(value);
    if (outcome.ok) return;
    const cause = Object.keys(value as object).find((name) => !isKnown(name));
    found.push({ message: outcome.violation.message, path, schemaPath: at, ...(cause !== undefined && { cause }) });
  };
}

function itemsPattern(at: ValuePath): Check {
  return (value, path, found) => {
    if (typeof value !== 'string' || isItemsText(value)) return;
    found.push({ message: `${pythonRepr(value)} does not match ${pythonRepr(ITEMS_PATTERN)}`, path, schemaPath: at });
  };
}

function single(schema: Schema, at: ValuePath): Check {
  const compiled = compileSchema(schema, { fillDefaults: false, pick: 'first' });
  return (value, path, found) => {
    const message = problemOf(compiled, value);
    if (message !== undefined) found.push({ message, path, schemaPath: at });
  };
}

/** A text that takes too long to match counts as a mismatch. */
function problemOf(schema: CompiledSchema, value: unknown): string | undefined {
  try {
    const outcome = schema.check(value);
    return outcome.ok ? undefined : outcome.violation.message;
  } catch (thrown) {
    if (isFault(thrown)) return thrown.message;
    throw thrown;
  }
}
