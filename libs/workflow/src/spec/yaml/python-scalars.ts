import type { ScalarTag } from 'yaml';

/*
 * Which plain texts are not texts, exactly as PyYAML resolves them: definitions were written against it. YAML 1.1 as such
 * also has `y` and `n` for truths, and `1e3` for a number, which PyYAML leaves alone. Dates stay texts: JSON has none.
 */
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
  signed(text, (digits) => Number.parseInt(digits.slice(prefix), base));

const sixty = (text: string): number =>
  signed(text, (digits) => digits.split(':').reduce((total, part) => total * 60 + Number(part), 0));

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
