import { parseLargeJson, type DataLimits } from '@switchyard/base';
import { inexactNumbers } from '../shell/json-output';

/**
 * Parses JSON. A number that would come out as another one, such as an id of twenty digits, becomes its text.
 * @throws Fault `data.limit`, `data.key`; SyntaxError
 */
export async function exactJson(json: string, limits: DataLimits): Promise<unknown> {
  const value = await parseLargeJson(json, limits);
  const inexact = await inexactNumbers(json);
  if (inexact.length === 0) return value;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of inexact) {
    parts.push(json.slice(from, start), `"${json.slice(start, end)}"`);
    from = end;
  }
  return parseLargeJson(parts.join('') + json.slice(from), limits);
}
