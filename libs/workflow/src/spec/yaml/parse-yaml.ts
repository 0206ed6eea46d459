import { messageOf } from '@switchyard/base';
import { LineCounter, parseDocument, type Document, isScalar, visit, type Node, type Pair, type ScalarTag } from 'yaml';
import { DefinitionError } from '../definition-error';
import { isTooDeep } from './nesting';
import { positionAt, YamlText } from './yaml-text';

/** Prefix of messages about an unreadable workflow. */
export const WORKFLOW_LEAD = 'Failed to load workflow definition because ';

/** In characters, ten times the largest known definitions. */
const MAX_LENGTH = 1024 * 1024;
/** How often aliases may repeat their content; more indicates a bomb. */
const MAX_ALIASES = 100;

/**
 * Reads one YAML document as PyYAML's safe loader does, except that duplicate keys and keys that are not texts are
 * refused.
 * @param lead prefix of messages
 * @throws DefinitionError with the place of the first problem
 */
export function parseYaml(text: string, lead = WORKFLOW_LEAD): YamlText {
  const lines = new LineCounter();
  try {
    return read(text, lines);
  } catch (thrown) {
    if (!(thrown instanceof WorkflowYamlError)) throw thrown;
    throw new DefinitionError(lead + thrown.message, positionAt(lines, thrown.offset), { cause: thrown });
  }
}

function read(text: string, lineCounter: LineCounter): YamlText {
  if (text.length > MAX_LENGTH) throw new WorkflowYamlError(`it is longer than ${MAX_LENGTH} characters.`, 0);
  if (isTooDeep(text)) throw new WorkflowYamlError('it is nested too deeply.', 0);
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    customTags: pythonScalars,
    merge: true,
    resolveKnownTags: false,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
    lineCounter,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new WorkflowYamlError(problem.message, problem.pos[0], { cause: problem });
  checkKeys(document);
  return new YamlText(toJson(document), document, lineCounter);
}

function toJson(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (thrown) {
    throw new WorkflowYamlError(messageOf(thrown), 0, { cause: thrown });
  }
}

/** Refuses duplicate keys, and keys that are not texts. @throws WorkflowYamlError */
function checkKeys(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const pair of items) {
        const name = keyText(pair);
        if (name !== MERGE && seen.has(name))
          throw new WorkflowYamlError(`found duplicate key "${name}".`, offsetOf(pair));
        seen.add(name);
      }
    },
  });
}

const MERGE = '<<';

/** An unquoted `on` or `yes` would become a different key; lists and maps cannot be keys. */
function keyText(pair: Pair): string {
  const { key } = pair;
  const value = isScalar(key) ? key.value : undefined;
  if (typeof value === 'symbol') return MERGE;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const shown = isScalar(key) && key.source ? `"${key.source}"` : 'with no text';
  throw new WorkflowYamlError(`found key ${shown} that is not a text: put it in quotes.`, offsetOf(pair));
}

const offsetOf = ({ key }: Pair): number => (key as Node | null)?.range?.[0] ?? 0;

/** Why a text cannot be read; internal to this folder. */
class WorkflowYamlError extends Error {
  constructor(
    reason: string,
    /** Offset in characters. */
    readonly offset: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

const scalar = (tag: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag => ({
  tag: `tag:yaml.org,2002:${tag}`,
  default: true,
  test,
  resolve,
});

const plain = (text: string): string => text.replaceAll('_', '');

const signed = (text: string, value: (digits: string) => number): number =>
  (text.startsWith('-') ? -1 : 1) * value(plain(text).replace(/^[-+]/, ''));

const based = (text: string, prefix: number, base: number): number =>
  signed(text, (digits) => Number.parseInt(digits.slice(prefix) || '0', base));

const sixty = (text: string): number =>
  signed(text, (digits) => digits.split(':').reduce((total, part) => total * 60 + Number(part), 0));

/**
 * Resolves plain scalars exactly as PyYAML does, because existing pack files and workflows were written for it. Unlike plain
 * YAML 1.1, `y` and `n` are not booleans and `1e3` is not a number. Dates stay texts, because JSON has no dates.
 */
export const pythonScalars: ScalarTag[] = [
  scalar('null', /^(?:~|null|Null|NULL)?$/, () => null),
  scalar('bool', /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/, (text) =>
    /^(?:yes|true|on)$/i.test(text),
  ),
  scalar('int', /^[-+]?0b[0-1_]+$/, (text) => based(text, 2, 2)),
  scalar('int', /^[-+]?0x[0-9a-fA-F_]+$/, (text) => based(text, 2, 16)),
  scalar('int', /^[-+]?0[0-7_]+$/, (text) => based(text, 1, 8)),
  scalar('int', /^[-+]?(?:0|[1-9][0-9_]*)$/, (text) => Number(plain(text))),
  scalar('int', /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/, sixty),
  scalar('float', /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/, sixty),
  scalar('float', /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?$/, (text) => Number(plain(text))),
];
