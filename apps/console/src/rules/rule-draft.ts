import { readParameters, textOfValue, type FieldTexts, type ParameterFields } from '../actions/parameter-values';

/** A condition as the form shows it. */
export interface ConditionDraft {
  readonly path: string;
  readonly operator: string;
  readonly pattern: string;
  /** Members that the form does not show, such as the `condition` of a search. */
  readonly rest: Readonly<Record<string, unknown>>;
}

type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const conditionsOf = (criteria: unknown): ConditionDraft[] =>
  Object.entries(membersOf(criteria)).map(([path, criterion]) => {
    const { type, pattern, ...rest } = membersOf(criterion);
    return { path, operator: textOfValue(type), pattern: textOfPattern(pattern), rest };
  });

/** The criteria of a rule. Conditions without a path are not finished, and are left out. */
export const criteriaOf = (conditions: readonly ConditionDraft[]): Members =>
  Object.fromEntries(
    conditions
      .filter(({ path }) => path.trim() !== '')
      .map(({ path, operator, pattern, rest }) => [
        path.trim(),
        { ...rest, type: operator, ...(pattern === '' ? {} : { pattern: patternOfText(pattern) }) },
      ]),
  );

/** Texts that would be read as another value are written as JSON. */
function textOfPattern(pattern: unknown): string {
  if (typeof pattern !== 'string') return textOfValue(pattern);
  return patternOfText(pattern) === pattern ? pattern : JSON.stringify(pattern);
}

/** A number, `true`, `false`, a list or an object; anything else is a text. */
function patternOfText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const TEMPLATE = /\{\{|\{%|<%/;

/** Reads the fields as their types, except for templates, which are rendered when the rule runs its action. */
export function readTemplatedParameters(fields: ParameterFields, texts: FieldTexts): ReturnType<typeof readParameters> {
  const { values, problems } = readParameters(fields, texts);
  const templates = Object.keys(problems).filter((name) => TEMPLATE.test(texts[name] ?? ''));
  return {
    values: { ...values, ...Object.fromEntries(templates.map((name) => [name, texts[name]])) },
    problems: Object.fromEntries(Object.entries(problems).filter(([name]) => !templates.includes(name))),
  };
}

/** The fields of a JSON schema of an object. */
export const fieldsOfSchema = (schema: unknown): ParameterFields =>
  membersOf(membersOf(schema)['properties']) as ParameterFields;
