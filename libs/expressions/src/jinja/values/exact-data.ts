import { loadYaml, yamlKeyText, type YamlNode } from '@switchyard/yaml';
import { asFloat, asInt } from './number';

/** Numbers that JavaScript's own parser changes: floats such as `2.0`, and integers beyond 2^53. */
const INEXACT = /\d[.eE]|\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON, with floats such as `2.0` as `Float`, and all digits of integers. @throws SyntaxError */
export function exactJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (!INEXACT.test(text)) return value;
  // Numbers become texts, and every text gets a first character that tells it from them.
  const marked = text.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? `"s${token.slice(1)}` : `"n${token}"`));
  return unmarked(JSON.parse(marked));
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') return value[0] === 's' ? value.slice(1) : exactNumber(value.slice(1));
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.slice(1), unmarked(item)]));
}

/** Reads YAML as `exactJson` reads JSON. @throws YamlError */
export function exactYaml(text: string): unknown {
  const { root, value } = loadYaml(text);
  return root !== undefined && /[\d.]\.|\.\d|\d{16}/.test(text) ? exactNode(root) : value;
}

function exactNode(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'number' ? exactYamlNumber(node.value, node.text.replaceAll('_', '')) : node.value;
    case 'sequence':
      return isListOfPairs(node.value, node.items) ? node.value : node.items.map(exactNode);
    case 'mapping':
      return Object.fromEntries(
        node.pairs.map(({ key, value }) => [key.kind === 'scalar' ? yamlKeyText(key) : '', exactNode(value)]),
      );
  }
}

/** Maps with one key that a tag has turned into lists. */
const isListOfPairs = (value: unknown, items: readonly YamlNode[]): boolean =>
  Array.isArray(value) && items[0]?.kind === 'mapping' && Array.isArray(value[0]);

function exactYamlNumber(value: number, text: string): unknown {
  if (/[.]/.test(text)) return asFloat(value);
  return Number.isSafeInteger(value) || !/^[-+]?[1-9]\d*$/.test(text) ? value : exactNumber(text.replace('+', ''));
}

const exactNumber = (text: string): unknown => (/[.eE]/.test(text) ? asFloat(Number(text)) : asInt(BigInt(text)));
