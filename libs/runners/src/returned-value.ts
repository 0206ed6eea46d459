import { boundedText, isFault, keptAsText, parseLargeJson, type DataLimits } from '@switchyard/base';

/**
 * What an action returned, out of the line that its process wrote about it. A value beyond a limit is its JSON text, with a
 * note at its end.
 * @param head what stands before the value in the line; behind it there is a brace
 * @throws SyntaxError
 */
export async function returnedValue(line: string, head: string, limits: DataLimits): Promise<unknown> {
  const json = line.slice(head.length, line.lastIndexOf('}'));
  try {
    const value = await parseLargeJson(json, limits);
    return typeof value === 'string' ? boundedText(value, limits) : value;
  } catch (error) {
    if (!isFault(error)) throw error;
    const text = textIn(json);
    return text === undefined ? keptAsText(json, error.message, limits) : boundedText(text, limits);
  }
}

/** A long text stands there as JSON, too; its own note says what it needs. */
function textIn(json: string): string | undefined {
  return json.startsWith('"') ? (JSON.parse(json) as string) : undefined;
}
