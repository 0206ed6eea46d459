import { isPlainObject } from '@switchyard/base';

/** How single values look in texts and tables; scripts compare with these words. */
export function plainValue(value: unknown): string {
  if (value === undefined || value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return value;
  // What is left comes from JSON: numbers, objects and lists.
  return JSON.stringify(inOrder(value), null, 4);
}

/** A value with the keys of all its objects sorted, so that the same value always looks the same. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, inOrder(item)]));
}

/** Terminals act on control characters; output of actions must not. Tabs and newlines are left. */
export const withoutControls = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

/** A value in a table cell: lists of plain values are joined, what is absent or empty is blank. */
export function cellValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(plainValue).join(', ');
  const isEmptyObject = typeof value === 'object' && Object.keys(value).length === 0;
  return isEmptyObject ? '' : withoutControls(plainValue(value));
}
