/** Output as results hold it: without one final line break, and as the value that it is the JSON text of, if it is one. */
export function outputValue(text: string, isTruncated: boolean): unknown {
  const trimmed = text.replace(/\n$/, '').replace(/\r$/, '');
  if (isTruncated || !mayBeJson(trimmed)) return trimmed;
  try {
    return hasInexactNumber(trimmed) ? trimmed : (JSON.parse(trimmed) as unknown);
  } catch {
    return trimmed;
  }
}

/** Spares long outputs that are no JSON the attempt. */
const mayBeJson = (text: string): boolean => /^\s*(?:[[{"\d-]|true|false|null)/.test(text);

/** A number that would come out as another one, such as an id of twenty digits, is better left in its text. */
function hasInexactNumber(json: string): boolean {
  if (!mayBeInexact(json)) return false;
  for (const [token] of json.matchAll(JSON_TOKENS)) {
    if (!token.startsWith('"') && isInexact(token)) return true;
  }
  return false;
}

/** Texts and numbers of a JSON text. */
export const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Spares most texts the look at each number. */
export const mayBeInexact = (json: string): boolean => /\d{16}|[eE]\+?\d{3}/.test(json);

/** Whether a number would come out as another one. */
export function isInexact(token: string): boolean {
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value));
}
