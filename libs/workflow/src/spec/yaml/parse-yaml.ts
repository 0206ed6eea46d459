import { loadYaml, YamlError } from '@switchyard/yaml';
import { DefinitionError } from '../definition-error';
import { YamlText } from './yaml-text';

/** Prefix of messages about an unreadable workflow. */
export const WORKFLOW_LEAD = 'Failed to load workflow definition because ';

/** In characters, ten times the largest known definitions. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Reads one YAML document as PyYAML's safe loader does, except that duplicate keys and keys that are not texts are
 * refused.
 * @param lead prefix of messages
 * @throws DefinitionError with the place of the first problem
 */
export function parseYaml(text: string, lead = WORKFLOW_LEAD): YamlText {
  if (text.length > MAX_LENGTH) {
    throw new DefinitionError(`${lead}it is longer than ${MAX_LENGTH} characters.`, { line: 1, column: 1 });
  }
  try {
    const { value, root, warnings } = loadYaml(text);
    const doubtful = warnings.find(({ kind }) => kind !== 'tab');
    if (doubtful) throw new YamlError(doubtful.text, doubtful.line, doubtful.column);
    return new YamlText(value, root);
  } catch (thrown) {
    if (!(thrown instanceof YamlError)) throw thrown;
    const { message, line, column } = thrown;
    throw new DefinitionError(lead + message, { line, column }, { cause: thrown });
  }
}
