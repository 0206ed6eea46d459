import { messageOf } from '@switchyard/base';
import { sortedDeep } from './plain-value';

export type StructuredFormat = 'json' | 'yaml';

/** One document for programs, with sorted keys. */
export async function structuredText(value: unknown, format: StructuredFormat): Promise<string> {
  const ordered = sortedDeep(value);
  return format === 'json' ? `${JSON.stringify(ordered, null, 4)}\n` : yamlText(ordered, 4);
}

/** YAML 1.1, with quotes around texts that look like times, numbers or booleans. Ends with a newline. */
export async function yamlText(value: unknown, indent: number): Promise<string> {
  // Loaded here because most commands print no YAML.
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

/** Parses JSON or YAML. @throws Error with the position of a mistake, but without the text */
export async function parseStructured(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new Error(withoutQuotes(error.message) + place(text, error.pos[0]));
  try {
    return document.toJS() as unknown;
  } catch (error) {
    throw new Error(withoutQuotes(messageOf(error)), { cause: error });
  }
}

/** Drops the quoted text after the colon in messages of the parser: it may contain secrets. */
const withoutQuotes = (message: string): string => message.split(/:\s/, 1)[0] ?? '';

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
