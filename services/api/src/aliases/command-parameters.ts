import { fault } from '@switchyard/base';
import { renderStandalone } from '@switchyard/expressions';
import { castTo, type ActionAliasRecord, type AliasParameters, type ParameterDefinitions } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';

export interface CommandParameters {
  readonly parameters: Record<string, unknown>;
  /** Names of the parameters into which a template has copied a secret. */
  readonly derivedSecrets: string[];
}

/**
 * The parameters of an alias's action: those of a command, which are data, and those that the alias always passes.
 * Templates of the latter see the context of the execution and the datastore, and no parameters.
 * @param definitions of the action's parameters, and of its runner's
 * @throws Fault `alias.immutable`, `expression.*`
 */
export async function commandParameters(
  { datastore }: Pick<ApiDependencies, 'datastore'>,
  { immutable_parameters: immutable }: Pick<ActionAliasRecord, 'immutable_parameters'>,
  given: AliasParameters,
  definitions: ParameterDefinitions,
  context: Readonly<Record<string, unknown>>,
): Promise<CommandParameters> {
  const refused = Object.keys(given).filter((name) => Object.hasOwn(immutable, name));
  if (refused.length > 0) throw fault('alias.immutable', { names: refused.join(',') });
  const names = { __context: context, ...context };
  const rendered = await renderStandalone(immutable, names, { lookup: datastore.lookupFor(context) });
  return {
    parameters: { ...withLists(given, definitions), ...rendered.parameters },
    derivedSecrets: rendered.derivedSecrets,
  };
}

/** In a command, commas separate the items of a list. A list in brackets is cast like any other value. */
const withLists = (given: AliasParameters, definitions: ParameterDefinitions): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, isListed(text, name, definitions) ? itemsOf(text) : text]),
  );

const isListed = (text: string, name: string, definitions: ParameterDefinitions): boolean =>
  Object.hasOwn(definitions, name) && definitions[name]?.['type'] === 'array' && !isBracketedList(text);

/** `[a,b]` is neither JSON nor a literal of Python: its commas separate items like any others. */
function isBracketedList(text: string): boolean {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return false;
  try {
    castTo('array', text.trim());
    return true;
  } catch {
    return false;
  }
}

const itemsOf = (text: string): string[] => (text.trim() === '' ? [] : text.split(',').map((item) => item.trim()));
