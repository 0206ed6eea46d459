import { isPlainObject } from '@switchyard/base';
import { pythonRepr } from '../schema/python-repr';
import { MASK } from './mask';

/** Shorter secrets would match everywhere, so they only count as whole values. */
const SHORTEST_PART = 4;

/** Recognizes and masks secrets that appear in other values. */
export class SecretTexts {
  /** @param texts the secrets, in every form in which they may be printed */
  constructor(readonly texts: readonly string[]) {}

  /** Collects every text and number in the values, in each form in which it may be printed inside another text. */
  static of(values: readonly unknown[]): SecretTexts {
    return new SecretTexts([...new Set(values.flatMap(leaves).flatMap(forms))]);
  }

  /** Whether a secret is a text, a number or a key anywhere in the value, or, from four characters on, a part of one. */
  holdsSecret(value: unknown): boolean {
    return this.texts.length > 0 && [...leaves(value), ...keys(value)].some((text) => this.isIn(text));
  }

  /** Replaces each secret in the value by the mask, including keys. */
  mask<T>(value: T): T {
    return this.texts.length === 0 ? value : (this.masked(value) as T);
  }

  private isIn(text: string): boolean {
    return this.texts.some((secret) => text === secret || (secret.length >= SHORTEST_PART && text.includes(secret)));
  }

  private masked(value: unknown): unknown {
    if (typeof value === 'string') return this.maskedText(value);
    if (typeof value === 'number') return this.maskedNumber(value);
    if (Array.isArray(value)) return value.map((item) => this.masked(item));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.maskedText(key), this.masked(item)]));
  }

  /** A short number, such as an exit code, is rarely the secret that it equals. */
  private maskedNumber(value: number): unknown {
    const text = String(value);
    return text.length >= SHORTEST_PART && this.isIn(text) ? MASK : value;
  }

  /** Longer secrets first, because one secret may be part of another. */
  private maskedText(text: string): string {
    if (!this.isIn(text)) return text;
    if (this.texts.includes(text)) return MASK;
    const parts = this.texts.filter((secret) => secret.length >= SHORTEST_PART);
    return parts.sort((a, b) => b.length - a.length).reduce((masked, part) => masked.replaceAll(part, MASK), text);
  }
}

/** Every text, and every number as text, at any depth. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function keys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keys);
  return isPlainObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keys)] : [];
}

const forms = (text: string): string[] => [text, inside(JSON.stringify(text)), inside(pythonRepr(text))];

const inside = (quoted: string): string => quoted.slice(1, -1);
