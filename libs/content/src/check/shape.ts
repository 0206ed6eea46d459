import { isPlainObject } from '@switchyard/base';
import { pythonRepr as show } from '@switchyard/model';
import { issue, type FieldPath, type Issue } from './issue';

/** The expected structure of a metadata document. Code that knows the meaning checks the rest. */
export type Shape = TypedShape & {
  /** Null is accepted and stands for a missing value. */
  nullable?: boolean;
};

type TypedShape =
  | { type: 'string'; maxLength?: number; enum?: readonly string[] }
  | { type: 'boolean' }
  | { type: 'number'; minimum?: number; maximum?: number }
  | { type: 'array'; items: Shape; unique?: boolean; minItems?: number }
  | { type: 'object'; fields?: ShapeFields; required?: readonly string[]; open?: boolean };

export type ShapeFields = Readonly<Record<string, Shape>>;

/** Reports every difference between a value and a shape, in the wording of the reference. */
export function checkShape(value: unknown, shape: Shape, path: FieldPath = []): Issue[] {
  if (value === null && shape.nullable) return [];
  if (!hasType(value, shape.type)) {
    return [issue(path, `${show(value)} is not of type '${shape.type}'`)];
  }
  switch (shape.type) {
    case 'string':
      return checkText(value as string, shape, path);
    case 'array':
      return checkList(value as unknown[], shape, path);
    case 'object':
      return checkFields(value as Record<string, unknown>, shape, path);
    case 'number':
      return checkNumber(value as number, shape, path);
    case 'boolean':
      return [];
  }
}

function hasType(value: unknown, type: Shape['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isPlainObject(value) : typeof value === type;
}

function checkText(value: string, shape: Extract<Shape, { type: 'string' }>, path: FieldPath): Issue[] {
  if (shape.maxLength !== undefined && value.length > shape.maxLength) {
    return [issue(path, `${show(value)} is longer than ${shape.maxLength} characters`)];
  }
  if (shape.enum && !shape.enum.includes(value)) {
    return [issue(path, `${show(value)} is not one of ${show([...shape.enum])}`)];
  }
  return [];
}

function checkNumber(
  value: number,
  { minimum, maximum }: Extract<Shape, { type: 'number' }>,
  path: FieldPath,
): Issue[] {
  if (minimum !== undefined && value < minimum) return [issue(path, `${value} is less than the minimum of ${minimum}`)];
  if (maximum !== undefined && value > maximum)
    return [issue(path, `${value} is greater than the maximum of ${maximum}`)];
  return [];
}

function checkList(value: unknown[], shape: Extract<Shape, { type: 'array' }>, path: FieldPath): Issue[] {
  const issues = value.flatMap((item, index) => checkShape(item, shape.items, [...path, index]));
  if (value.length < (shape.minItems ?? 0)) issues.push(issue(path, `${show(value)} is too short`));
  const texts = value.map((item) => JSON.stringify(item));
  if (shape.unique && new Set(texts).size < texts.length) {
    issues.push(issue(path, `${show(value)} has non-unique elements`));
  }
  return issues;
}

function checkFields(
  value: Record<string, unknown>,
  { fields, required = [], open = false }: Extract<Shape, { type: 'object' }>,
  path: FieldPath,
): Issue[] {
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => issue([...path, name], `'${name}' is a required property`));
  if (!fields) return missing;
  const present = Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return checkShape(item, field, [...path, name]);
    const text = `Additional properties are not allowed ('${name}' was unexpected)`;
    return open ? [] : [issue([...path, name], text)];
  });
  return [...missing, ...present];
}
