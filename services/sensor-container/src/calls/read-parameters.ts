import { fault, isPlainObject } from '@switchyard/base';

export type Parameters = Readonly<Record<string, unknown>>;

/** Checks what a sensor sends, like the request of any client. @throws Fault `sensor.call` */
export function textOf(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value !== 'string') throw wrong(name, 'a text', value);
  return value;
}

/** @returns undefined for a missing value and for null */
export function wholeNumberOf(parameters: Parameters, name: string): number | undefined {
  const value = parameters[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!Number.isInteger(value) || (value as number) < 0) throw wrong(name, 'a whole number of 0 or more', value);
  return value as number;
}

export function objectOf(parameters: Parameters, name: string): Record<string, unknown> | null {
  const value = parameters[name] ?? null;
  if (value !== null && !isPlainObject(value)) throw wrong(name, 'an object', value);
  return value;
}

export const wrong = (name: string, expected: string, value: unknown) =>
  fault('sensor.call', { reason: `"${name}" must be ${expected}, got ${JSON.stringify(value)?.slice(0, 100)}` });
