import type { TextPlace } from './token';

interface NodeBase extends TextPlace {
  /** As JSON. */
  readonly value: unknown;
  /** The number of its nodes, including those that aliases repeat. */
  readonly size: number;
}

/** A text, number, boolean or null. */
export interface YamlScalar extends NodeBase {
  readonly kind: 'scalar';
  /** As it is written, without quotes. */
  readonly text: string;
  /** Stands for something else in a mapping: `<<` and `=`. */
  readonly role?: 'merge' | 'value';
}

export interface YamlSequence extends NodeBase {
  readonly kind: 'sequence';
  readonly items: readonly YamlNode[];
}

export interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export interface YamlMapping extends NodeBase {
  readonly kind: 'mapping';
  /** Includes those that `<<` merges, which come first; the last of equal keys counts. */
  readonly pairs: readonly YamlPair[];
}

export type YamlNode = YamlScalar | YamlSequence | YamlMapping;
