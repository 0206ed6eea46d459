import { createHash } from 'node:crypto';
import { isPlainObject } from '@switchyard/base';

/**
 * One text for equal values, whatever the order of their keys: keys sorted, `", "` and `": "` between the parts, and
 * nothing but ASCII, which is what the uids of triggers are made from (interface sheet "events", 0.1).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(', ')}]`;
  if (!isPlainObject(value)) return ascii(JSON.stringify(value) ?? 'null');
  const members = Object.keys(value)
    .sort(byCodePoint)
    .map((key) => `${ascii(JSON.stringify(key))}: ${canonicalJson(value[key])}`);
  return `{${members.join(', ')}}`;
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Tells triggers of one type apart: equal parameters are one trigger. */
export const parametersHash = (parameters: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(canonicalJson(parameters)).digest('hex');

/** The part of a trigger's uid that stands for its parameters. */
export const parametersDigest = (parameters: Readonly<Record<string, unknown>>): string =>
  createHash('md5').update(canonicalJson(parameters)).digest('hex');
