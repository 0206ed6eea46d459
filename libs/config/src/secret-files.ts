import { readFileSync, statSync } from 'node:fs';
import { fault, MIB } from '@switchyard/base';
import { unreadableReason } from './check-files';
import type { OnProblem } from './config-finding';
import { findOption, type FoundOption } from './find-option';
import type { Setting } from './settings';

const SUFFIX = /[_-]file$/i;

/**
 * Replaces each setting `<option>_file` by the option with the content of that file, as containers mount secrets. An option whose own
 * name ends like that keeps its meaning.
 * @throws config.invalid if a file cannot be read, config.conflict if the same source also sets the option itself
 */
export function withSecretFiles(settings: readonly Setting[], home: string, onProblem: OnProblem): Setting[] {
  const direct = new Map<string, Setting>();
  for (const setting of settings) {
    const found = findOption(setting.section, setting.option);
    if ('section' in found) direct.set(`${setting.source} ${found.section}.${found.name}`, setting);
  }
  return settings.flatMap((setting) => {
    const target = targetOf(setting);
    if (!target || setting.value === '' || setting.value === 'None') return target ? [] : [setting];
    const both = direct.get(`${setting.source} ${target.section}.${target.name}`);
    const content = both ? { problem: conflictOf(both, setting) } : contentOf(setting, target, home);
    if ('text' in content) return [{ ...setting, ...content.setting, value: content.text }];
    onProblem(content.problem);
    return [];
  });
}

type Target = Extract<FoundOption, { kind: 'option' | 'alias' }>;

/** The option whose file a setting names. */
function targetOf({ section, option }: Setting): Target | undefined {
  if (!SUFFIX.test(option) || findOption(section, option).kind !== 'unknown') return undefined;
  const found = findOption(section, option.replace(SUFFIX, ''));
  return 'section' in found ? found : undefined;
}

const conflictOf = (direct: Setting, file: Setting) =>
  fault('config.conflict', {
    text: `expected either ${direct.section}.${direct.option} or ${file.section}.${file.option}, got both (${direct.origin}, ${file.origin})`,
  });

function contentOf(setting: Setting, { section, name }: Target, home: string) {
  const path = String(setting.value).replace(/^~(?=\/|$)/, home);
  try {
    const text = readSecret(path).replace(/\r?\n$/, '');
    const option = setting.option.replace(SUFFIX, '');
    return { text, setting: { option, secretFile: path, origin: `${setting.origin}: ${path}` } };
  } catch (error) {
    const actual = `${path}: ${unreadableReason(error)}`;
    const expected = 'a file that can be read';
    return { problem: fault('config.invalid', { section, option: name, expected, actual, origin: setting.origin }) };
  }
}

/** Reads regular files only, because others may be endless. */
function readSecret(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a file');
  if (stats.size > MIB) throw new Error('it has more than 1 MB');
  return readFileSync(path, 'utf8');
}
