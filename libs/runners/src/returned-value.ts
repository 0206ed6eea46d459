import { boundedText, isFault, keptAsText, parseLargeJson, type DataLimits } from '@switchyard/base';

/**
 * Parses the returned value from the line that an action's process wrote. A value over a limit becomes its JSON text with a
 * note at the end.
 * @param head the part of the line before the value; a brace follows the value
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

/** A long text is JSON here too; its own note gives the limit. */
function textIn(json: string): string | undefined {
  return json.startsWith('"') ? (JSON.parse(json) as string) : undefined;
}
