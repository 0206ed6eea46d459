import { TextCursor, YamlError, type YamlWarning } from './cursor';
import type { YamlNode } from './node';
import { YamlParser } from './parser';

export interface YamlDocument {
  /** As JSON; null for a text without a document. */
  readonly value: unknown;
  /** Where the values are in the text. */
  readonly root: YamlNode | undefined;
  /** Valid parts that are probably mistakes; at most a hundred. */
  readonly warnings: readonly YamlWarning[];
}

/**
 * Reads one YAML document as `yaml.safe_load` of PyYAML 6 does. Keys become texts, as in JSON. Values that JSON does not have are
 * refused (sets, binary data) or stay texts (dates, `.inf`, `.nan`).
 * @throws YamlError
 */
export function loadYaml(text: string): YamlDocument {
  const bad = UNPRINTABLE.exec(text);
  if (bad) throw unprintable(text, bad);
  const cursor = new TextCursor(text);
  const root = new YamlParser(cursor).document();
  return { value: root === undefined ? null : root.value, root, warnings: cursor.warnings };
}

const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function unprintable(text: string, { 0: character, index }: RegExpExecArray): YamlError {
  const lines = text.slice(0, index).split(/\r\n|[\r\n\x85\u2028\u2029]/);
  const code = (character.codePointAt(0) as number).toString(16).padStart(4, '0').toUpperCase();
  const message = `found the control character U+${code}, which YAML does not allow`;
  return new YamlError(message, lines.length, (lines.at(-1) as string).length + 1);
}

/** A step from a value to one below it. */
export type YamlStep = string | number;

export interface LocatedYaml {
  readonly node: YamlNode;
  /** The place of the value's key, or of the value itself if it has none. */
  readonly line: number;
  readonly column: number;
  /** False if the path ended early; the other fields then describe where. */
  readonly found: boolean;
}

/** Follows a path of keys and indexes from a node. */
export function locateYaml(root: YamlNode, path: readonly YamlStep[]): LocatedYaml {
  let at: LocatedYaml = { node: root, line: root.line, column: root.column, found: true };
  for (const step of path) {
    const next = below(at.node, step);
    if (!next) return { ...at, found: false };
    at = next;
  }
  return at;
}

function below(node: YamlNode, step: YamlStep): LocatedYaml | undefined {
  if (node.kind === 'sequence') {
    const item = node.items[Number(step)];
    return item && { node: item, line: item.line, column: item.column, found: true };
  }
  if (node.kind !== 'mapping') return undefined;
  const pair = node.pairs.findLast(({ key }) => key.kind === 'scalar' && String(key.value) === String(step));
  return pair && { node: pair.value, line: pair.key.line, column: pair.key.column, found: true };
}
