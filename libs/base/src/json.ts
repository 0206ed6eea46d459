import { messageOf } from './errors/fault';

/** Any value that JSON can represent. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether a value is a plain object, and not null, an array or an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The problem that `JSON.parse` found, without the text that its message quotes, which may be a secret:
 * `Unexpected token 'h', ..."ord": hunter2}" is not valid JSON` becomes `Unexpected token 'h' in JSON`.
 */
export function jsonProblem(error: unknown): string {
  const [problem = '', quoted] = messageOf(error).split(/(, (?:\.\.\.)?")/, 2);
  if (quoted === undefined) return problem.startsWith('"') ? 'it is not valid JSON' : problem;
  return `${problem} in JSON`;
}

/**
 * The approximate number of bytes that a value takes as JSON: exact for strings and structure, an estimate for numbers and escaped
 * characters. Not recursive, so it can handle any depth.
 * @param enough stops counting above this number
 */
export function jsonSize(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  const waiting: unknown[] = [value];
  let bytes = 0;
  while (waiting.length > 0 && bytes <= enough) {
    const current = waiting.pop();
    if (typeof current === 'string') bytes += current.length > enough ? current.length : textSize(current);
    else if (typeof current !== 'object' || current === null) bytes += String(current).length;
    else if (current instanceof Date) bytes += DATE_BYTES;
    else if (ArrayBuffer.isView(current)) bytes += current.byteLength;
    else if (Array.isArray(current)) {
      bytes += 2 + current.length;
      for (const item of current) waiting.push(item);
    } else {
      bytes += 2;
      for (const key of Object.keys(current)) {
        bytes += textSize(key) + 2;
        waiting.push((current as Record<string, unknown>)[key]);
      }
    }
  }
  return bytes;
}

const DATE_BYTES = 26;
const QUOTES = 2;
const textSize = (text: string): number => Buffer.byteLength(text) + QUOTES;
