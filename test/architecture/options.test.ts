import { optionSections } from '../../libs/config/src/option-table';
import { isLegacy, type OptionEntry } from '../../libs/config/src/option';
import { optionReaders } from './option-readers';
import { packages, read, sourcesOf } from './workspace';

const entries = Object.entries(optionSections).flatMap(([section, options]) =>
  Object.entries(options).map(([name, entry]): [string, OptionEntry] => [`${section}.${name}`, entry]),
);

const sources = packages.filter(({ name }) => name !== 'testkit').flatMap((each) => sourcesOf(each));

describe('every option', () => {
  it('is read by the code, is rejected, or is described as an option without effect', () => {
    const readers = optionReaders(sources.filter((file) => file.endsWith('.ts')));
    const unread = entries.flatMap(([name, entry]) =>
      isLegacy(entry) || isRefused(entry) || readers.has(name) ? [] : [name],
    );
    expect(unread).toEqual([]);
    expect([...readers].filter(([name]) => isLegacy(new Map(entries).get(name)!))).toEqual([]);
    expect([...readers.get('database.authentication_mechanism')!]).toEqual(['libs/storage/src/connect-mongo.ts']);
  });
});

/** A switch that can only be off, so no code reads it. */
const isRefused = (entry: Exclude<OptionEntry, { legacy: true }>): boolean =>
  entry.type === 'bool' && entry.refused !== undefined && entry.refused.value !== entry.default;

describe('the search for readers', () => {
  const RECOVERY = 'libs/config/src/options/recovery.ts';
  const READER = 'libs/host/src/made-up-reader.ts';
  const made = ['accessed', 'matched', 'taken', 'quoted', 'set', 'named', 'handed_on', 'forgotten', 'port'];
  const options = read(RECOVERY).replace('};', `${made.map((name) => `${name}: intOption(1, ''),`).join('\n')} };`);

  const readIn = (text: string): string[] => {
    const head = `import type { Config, ConfigOverrides } from '@switchyard/config';\n`;
    const overlay = new Map([
      [RECOVERY, options],
      [READER, head + text],
    ]);
    return [...optionReaders([READER], overlay).keys()].sort();
  };

  it('finds accesses, patterns and types that denote a part of the configuration', () => {
    const text = `
      export const a = (config: Config) => config.sweep.accessed;
      export const b = ({ sweep: { matched: renamed } }: Config) => renamed;
      export const c = ({ taken }: Config['sweep']) => taken;
      export const d = (given: { parts: readonly Pick<Config, 'sweep'>[] }) => given.parts[0]!.sweep['quoted'];`;
    expect(readIn(text)).toEqual(['sweep.accessed', 'sweep.matched', 'sweep.quoted', 'sweep.taken']);
  });

  it('ignores settings, other members of the same name, and sections that are passed on', () => {
    const text = `
      export const a: ConfigOverrides = { sweep: { set: 1 } };
      export const b = (other: { named: number }) => other.named;
      export const c = (config: Config): { handed_on: number } => config.sweep;
      export const d = ({ sweep }: Config) => c({ sweep } as Config).handed_on;
      export const e = (config: Config) => config.api.port;
      // config.sweep.forgotten`;
    expect(readIn(text)).toEqual(['api.port']);
  });
});
