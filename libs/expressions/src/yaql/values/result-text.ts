import { Frame } from '../run/frame';
import { toPlain } from './plain';
import { outer } from './text';

/** A result within a larger text, as Python prints it: `None`, `True`, `[1, 'a']`, `2.0`. */
export function resultText(value: unknown): string {
  if (value instanceof Frame) toPlain(value);
  return outer.text(value);
}
