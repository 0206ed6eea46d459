import { below, pick, skewed, type Random } from './random';
import { RawJson } from './raw-json';

const NUMBERS = ['-1', '0', '-0', '1e400', '-1e400', '1e-400', '9007199254740993', '99999999999999999999999999', '2147483648', '-2147483649', '1.5', '1E+2', '0.1e1', 'NaN', 'Infinity', '-Infinity', '0x10', '01', '1_000']; // oxfmt-ignore
const TEXTS = ['', '\0', 'a\0b', '\ud800', '\udfff\ud800', '\ufeff', '\u2028', '__proto__', 'constructor', 'toString', '$where', '$gt', 'a.b', '../../etc/passwd', '{{ 1/0 }}', '{% for i in range(9) %}', '<% 1/0 %>', "' or 1=1", '${jndi:ldap://x}', '*', '^(a+)+$', '\r\nX: 1', '%00', '😀', 'İ']; // oxfmt-ignore

/** Numbers that are invalid in JSON are also sent in quotes, so that not all of them are syntax errors. */
const strangeNumber = (random: Random): RawJson => {
  const number = pick(NUMBERS, random);
  return new RawJson(random() < 0.3 || /[NIx_]|^0\d/.test(number) ? JSON.stringify(number) : number);
};

export const strangeText = (random: Random): string => {
  const kind = random();
  if (kind < 0.7) return pick(TEXTS, random);
  return pick(['a', 'é', '{{', '(', '"', '\\', '\0', ' '], random).repeat(longLength(random));
};

/** Up to 4 kB, occasionally some MB. */
const longLength = (random: Random): number =>
  random() < 0.9 ? skewed(4096, random) : 1_000_000 + below(3_000_000, random);

function nested(random: Random): RawJson {
  const depth = random() < 0.95 ? skewed(300, random) : 5_000 + below(200_000, random);
  return random() < 0.5
    ? new RawJson('['.repeat(depth) + ']'.repeat(depth))
    : new RawJson('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
}

function wide(random: Random): unknown {
  const width = random() < 0.97 ? skewed(2_000, random) : 100_000 + below(200_000, random);
  if (random() < 0.5) return new RawJson(`[${'0,'.repeat(width)}0]`);
  return new RawJson(`{${Array.from({ length: width }, (_, n) => `"k${n}":0`).join(',')}}`);
}

const wrongType = (random: Random): unknown =>
  pick<unknown>([null, true, [], {}, 0, 'x', [[]], [null], { a: null }], random);

const strangeKey = (value: unknown, random: Random): unknown => ({ [strangeText(random).slice(0, 2000)]: value });

type Spoiling = (value: unknown, random: Random) => unknown;

const SPOILINGS: readonly Spoiling[] = [
  (_, random) => nested(random),
  (_, random) => wide(random),
  (_, random) => strangeNumber(random),
  (_, random) => strangeText(random),
  (_, random) => strangeText(random),
  (_, random) => wrongType(random),
  (_, random) => wrongType(random),
  strangeKey,
  (value) => [value],
  (value) => new RawJson(`{"a":1,"a":${JSON.stringify(typeof value === 'string' ? value : 1)},"__proto__":{"a":1}}`),
  (value) => (typeof value === 'string' ? new RawJson(`${JSON.stringify(value).slice(0, -1)}\\ud800"`) : value),
];

/** A value with one error at any depth: a changed, missing or extra part. */
export function spoil(value: unknown, random: Random): unknown {
  if (value instanceof RawJson || typeof value !== 'object' || value === null || random() < 0.15) {
    return pick(SPOILINGS, random)(value, random);
  }
  if (Array.isArray(value)) return spoiledList(value, random);
  const entries = Object.entries(value);
  const kind = random();
  if (entries.length === 0 || kind < 0.15)
    return { ...value, [pick(['extra', 'id', '_id', '__proto__x', 'a.b', '$set'], random)]: spoil({}, random) };
  const [chosen] = pick(entries, random);
  if (kind < 0.3) return Object.fromEntries(entries.filter(([name]) => name !== chosen));
  return Object.fromEntries(entries.map(([name, member]) => [name, name === chosen ? spoil(member, random) : member]));
}

function spoiledList(list: readonly unknown[], random: Random): unknown {
  if (list.length === 0) return [pick(SPOILINGS, random)(null, random)];
  const at = below(list.length, random);
  return list.map((item, index) => (index === at ? spoil(item, random) : item));
}

/** A body text with an error that no value has: truncated, or invalid UTF-8. */
export function spoilBytes(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = below(bytes.length + 1, random);
  if (random() < 0.5) return bytes.subarray(0, at);
  const wrong = pick([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0], [0x0b], [0xef, 0xbb, 0xbf]], random);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)]);
}
