import { t } from '@lingui/core/macro';
/** A parameter of an action, as its metadata declare it. */
export interface ParameterField {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: boolean;
  readonly enum?: readonly unknown[];
  readonly secret?: boolean;
  readonly immutable?: boolean;
  readonly position?: number;
}

export type ParameterFields = Readonly<Record<string, ParameterField>>;

/** The text of each field. An empty text stands for the default. */
export type FieldTexts = Readonly<Record<string, string>>;

export interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  /** The error of a field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The fields of a form: required ones first, then by position and name. Leaves out immutable ones. */
export function shownFields(fields: ParameterFields): [string, ParameterField][] {
  const rank = ({ required, default: preset, position }: ParameterField) =>
    (required && preset === undefined ? 0 : 1000) + (position ?? 500);
  return Object.entries(fields)
    .filter(([, { immutable }]) => !immutable)
    .sort(([a, x], [b, y]) => rank(x) - rank(y) || a.localeCompare(b));
}

export const typeOf = ({ type }: ParameterField): string =>
  (typeof type === 'string' ? type : type?.find((each) => each !== 'null')) ?? 'string';

/** Reads the fields as their types. */
export function readParameters(fields: ParameterFields, texts: FieldTexts): ReadParameters {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [name, field] of shownFields(fields)) {
    const text = texts[name] ?? '';
    if (text === '') {
      if (field.required && field.default === undefined) problems[name] = t`A value is required.`;
      continue;
    }
    try {
      values[name] = readValue(text, field);
    } catch (error) {
      problems[name] = (error as Error).message;
    }
  }
  return { values, problems };
}

function readValue(text: string, field: ParameterField): unknown {
  const choice = field.enum?.find((each) => textOfValue(each) === text);
  if (choice !== undefined) return choice;
  switch (typeOf(field)) {
    case 'integer':
      if (!/^[+-]?\d+$/.test(text.trim())) throw new Error(t`"${text}" is not an integer.`);
      return Number(text);
    case 'number':
      if (text.trim() === '' || Number.isNaN(Number(text))) throw new Error(t`"${text}" is not a number.`);
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'array':
      return readArray(text);
    case 'object':
      return readObject(text);
    default:
      return text;
  }
}

/** JSON, or words separated by commas. */
function readArray(text: string): unknown {
  if (!text.trim().startsWith('[')) return text.split(',').map((word) => word.trim());
  return json(text);
}

function readObject(text: string): unknown {
  const value = json(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(t`Expected a JSON object such as ${'{"name": "value"}'}.`);
  }
  return value;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(t`This is not valid JSON: ${(error as Error).message}`);
  }
}

/** The text that stands for a value in a field. */
export const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The texts for the parameters of an earlier run. */
export const textsOf = (parameters: Readonly<Record<string, unknown>>): FieldTexts =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, textOfValue(value)]));

/** The values that differ from those of an earlier run. Its secrets are masked, and are kept unless they are
 * changed. */
export function changedValues(values: Readonly<Record<string, unknown>>, before: FieldTexts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => textOfValue(value) !== before[name]));
}
