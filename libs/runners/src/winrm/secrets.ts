import type { RunRequest } from '../runner-plugin';

const MASK = '********';

/** What no error may show: the password, and the values of parameters that are secret. */
export function secretsOf({ action, runnerParameters, actionParameters }: RunRequest): string[] {
  const marked = Object.entries(actionParameters).filter(
    ([name]) => Object.hasOwn(action.parameters, name) && action.parameters[name]?.secret === true,
  );
  return [runnerParameters['password'], ...marked.map(([, value]) => value)].flatMap(textsIn);
}

/** A host may repeat in its complaint what it was given. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.toSorted((a, b) => b.length - a.length).reduce((masked, secret) => masked.replaceAll(secret, MASK), text);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
