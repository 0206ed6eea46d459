import type { RunRequest } from '../runner-plugin';

const MASK = '********';

/** Texts that errors must not show: the password and the values of secret parameters. */
export function secretsOfRequest({ action, runnerParameters, actionParameters }: RunRequest): string[] {
  const marked = Object.entries(actionParameters).filter(
    ([name]) => Object.hasOwn(action.parameters, name) && action.parameters[name]?.secret === true,
  );
  return [runnerParameters['password'], ...marked.map(([, value]) => value)].flatMap(textsIn);
}

/** Masks secrets, because an error of the host may repeat its input. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.toSorted((a, b) => b.length - a.length).reduce((masked, secret) => masked.replaceAll(secret, MASK), text);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
