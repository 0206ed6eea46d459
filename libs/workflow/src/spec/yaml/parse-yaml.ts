import { messageOf } from '@switchyard/base';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { DefinitionError } from '../definition-error';
import { checkKeys } from './check-keys';
import { isTooDeep } from './nesting';
import { pythonScalars } from './python-scalars';
import { YamlProblem } from './yaml-problem';
import { positionAt, YamlText } from './yaml-text';

/** What messages about a workflow that cannot be read begin with. */
export const WORKFLOW_LEAD = 'Failed to load workflow definition because ';

/** In characters. The largest definitions known are a tenth of it. */
const MAX_LENGTH = 1024 * 1024;
/** As many times as aliases may repeat what they stand for; more is a bomb. */
const MAX_ALIASES = 100;

/**
 * Reads one YAML document as PyYAML's safe loader does, but for keys that are given twice or are no texts: these are refused.
 * @param lead what messages begin with
 * @throws DefinitionError with the place of the first problem
 */
export function parseYaml(text: string, lead = WORKFLOW_LEAD): YamlText {
  const lines = new LineCounter();
  try {
    return read(text, lines);
  } catch (thrown) {
    if (!(thrown instanceof YamlProblem)) throw thrown;
    throw new DefinitionError(lead + thrown.message, positionAt(lines, thrown.offset), { cause: thrown });
  }
}

function read(text: string, lineCounter: LineCounter): YamlText {
  if (text.length > MAX_LENGTH) throw new YamlProblem(`it is longer than ${MAX_LENGTH} characters.`, 0);
  if (isTooDeep(text)) throw new YamlProblem('it is nested too deeply.', 0);
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
  if (problem) throw new YamlProblem(problem.message, problem.pos[0], { cause: problem });
  checkKeys(document);
  return new YamlText(toJson(document), document, lineCounter);
}

function toJson(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (thrown) {
    throw new YamlProblem(messageOf(thrown), 0, { cause: thrown });
  }
}
