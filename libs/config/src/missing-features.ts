import { fault } from '@switchyard/base';
import type { Config } from './config';
import { isLegacy, type MissingFeature } from './option';
import { optionSections } from './option-table';

/** Refuses values that ask for what does not exist and cannot be done without. @throws config.conflict */
export function refuseMissingFeatures(config: Config): void {
  for (const { name, feature } of asked(config, 'refused')) {
    throw fault('config.conflict', { text: `${name} is not available: ${feature.reason}` });
  }
}

/** A line for each value that asks for what the system has to do without. */
export const ignoredFeatures = (config: Config): string[] =>
  asked(config, 'ignored').map(({ name, feature }) => `Configuration: ${name} has no effect: ${feature.reason}.`);

function asked(config: Config, kind: 'refused' | 'ignored') {
  const values = config as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return Object.entries(optionSections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([option, entry]) => {
      const feature: MissingFeature | undefined = isLegacy(entry) ? undefined : entry[kind];
      if (!feature || values[section]?.[option] !== feature.value) return [];
      return [{ name: `${section}.${option} = ${String(feature.value)}`, feature }];
    }),
  );
}
