import { isInexact, JSON_TOKENS, mayBeInexact } from '../shell/json-output';

/** Parses JSON. A number that would come out as another one, such as an id of twenty digits, becomes its text. */
export function exactJson(json: string): unknown {
  const value = JSON.parse(json) as unknown;
  if (!mayBeInexact(json)) return value;
  const exact = json.replace(JSON_TOKENS, (token) => (token[0] !== '"' && isInexact(token) ? `"${token}"` : token));
  return exact === json ? value : (JSON.parse(exact) as unknown);
}
