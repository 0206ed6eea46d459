import { isPlainObject } from '@switchyard/base';
import { inOrder } from './plain-value';

export type StructuredFormat = 'json' | 'yaml';

/** One document for programs: keys in order, and without those whose value is null. */
export async function structuredText(value: unknown, format: StructuredFormat): Promise<string> {
  const ordered = withoutNulls(inOrder(value));
  return format === 'json' ? `${JSON.stringify(ordered, null, 4)}\n` : yamlText(ordered, 4);
}

/** YAML that older readers take, too: texts that look like times, numbers or booleans are quoted. Ends with a newline. */
export async function yamlText(value: unknown, indent: number): Promise<string> {
  // Loaded when needed: most commands print no YAML.
  const { stringify } = await import('yaml');
  return stringify(value, {
    version: '1.1',
    indent,
    indentSeq: false,
    lineWidth: 0,
    singleQuote: true,
    aliasDuplicateObjects: false,
  });
}

/** Reads a JSON or YAML text. @throws Error that says where the text is wrong */
export async function parseStructured(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error) throw new Error(error.message.split('\n')[0]?.replace(/:$/, '') ?? 'not valid');
  return document.toJS() as unknown;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutNulls(item)]));
}
