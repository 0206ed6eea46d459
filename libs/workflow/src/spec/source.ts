import { isPlainObject } from '@switchyard/base';
import { DefinitionError } from './definition-error';
import { parseYaml, WORKFLOW_LEAD } from './yaml/parse-yaml';
import { YamlText } from './yaml/yaml-text';

/** A definition as YAML text, as parsed YAML, or as plain data. */
export type DefinitionSource = string | YamlText | Readonly<Record<string, unknown>>;

export interface RawDefinition {
  readonly raw: Readonly<Record<string, unknown>>;
  /** Present if the definition was a text. */
  readonly text?: YamlText;
}

/** Deeper data could overflow the stack of recursive code; no real definition comes close. */
const MAX_DEPTH = 100;

/**
 * Reads a definition as a map.
 * @param lead prefix of messages
 * @throws DefinitionError for anything else, and for data that is nested too deeply
 */
export function rawDefinition(source: DefinitionSource, lead = WORKFLOW_LEAD): RawDefinition {
  const text = typeof source === 'string' ? parseYaml(source, lead) : source;
  const parsed = text instanceof YamlText ? text : undefined;
  const raw: unknown = parsed ? parsed.value : text;
  if (raw === null || raw === undefined) throw new DefinitionError('The spec cannot be type of None.');
  if (!isPlainObject(raw)) throw new DefinitionError('The spec is not type of json or yaml.');
  if (isDeeper(raw, MAX_DEPTH)) throw new DefinitionError(`${lead}it is nested too deeply.`);
  return parsed ? { raw, text: parsed } : { raw };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
