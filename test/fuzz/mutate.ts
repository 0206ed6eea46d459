interface Sources {
  readonly seeds: readonly string[];
  readonly tokens: readonly string[];
  readonly random: () => number;
}

/** A text with one change. */
export function mutate(text: string, sources: Sources): string {
  const mutation = pick(mutations, sources.random);
  return mutation(text, sources);
}

type Mutation = (text: string, sources: Sources) => string;

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T;
const place = (text: string, random: () => number): number => Math.floor(random() * (text.length + 1));

function range(text: string, random: () => number): [start: number, end: number] {
  const start = place(text, random);
  return [start, Math.min(text.length, start + Math.floor(random() * random() * text.length) + 1)];
}

const insert = (text: string, at: number, piece: string): string => text.slice(0, at) + piece + text.slice(at);

/** Characters that often break parsers: controls, lone surrogates, unusual whitespace, prototype names. */
const STRANGE = ['\0', '\ud800', '\udfff', '\ufeff', '\u2028', '\u00a0', '\t', '\r\n', '\\', '"', "'", '`', '😀', 'İ', 'ﬃ', '\x7f', '__proto__', 'constructor', 'toString']; // oxfmt-ignore
const NUMBERS = ['0', '-1', '1e309', '99999999999999999999', '0x1F', '1_000', '0.1e-400', '-0', '2147483648', 'NaN'];
const BRACKETS = [['(', ')'], ['[', ']'], ['{', '}'], ['{{', '}}'], ['<%', '%>'], ['"', '"'], ['not ', ''], ['-', '']] as const; // oxfmt-ignore

const mutations: readonly Mutation[] = [
  (text, { random }) => {
    const [start, end] = range(text, random);
    return text.slice(0, start) + text.slice(end);
  },
  (text, { random }) => {
    const [start, end] = range(text, random);
    return insert(text, place(text, random), text.slice(start, end));
  },
  (text, { random }) => {
    const [start, end] = range(text, random);
    return text.slice(0, end) + text.slice(start, end).repeat(2 + Math.floor(random() * 20)) + text.slice(end);
  },
  (text, { random, tokens }) => insert(text, place(text, random), pick(tokens, random)),
  (text, { random, tokens }) => {
    const [start, end] = range(text, random);
    return text.slice(0, start) + pick(tokens, random) + text.slice(end);
  },
  (text, { random, tokens }) => insert(text, place(text, random), pick(tokens, random).repeat(deep(random))),
  (text, { random }) => insert(text, place(text, random), pick(STRANGE, random)),
  (text, { random }) => {
    const at = place(text, random);
    return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
  },
  (text, { random }) => text.replace(/\d+/, () => pick(NUMBERS, random)),
  (text, sources) => swapWord(text, sources),
  (text, sources) => swapWord(text, sources),
  (text, { random, seeds, tokens }) => text + pick(tokens, random) + pick(seeds, random),
  (text, { random, seeds }) => {
    const other = pick(seeds, random);
    return text.slice(0, place(text, random)) + other.slice(place(other, random));
  },
  (text, { random }) => {
    const [start, end] = range(text, random);
    const [open, close] = pick(BRACKETS, random);
    const times = deep(random);
    return text.slice(0, start) + open.repeat(times) + text.slice(start, end) + close.repeat(times) + text.slice(end);
  },
];

/** Replaces a word by another one of the language; the result is often valid. */
function swapWord(text: string, { random, seeds }: Sources): string {
  const word = /\w+/g;
  const words = pick(seeds, random).match(word) ?? ['x'];
  const place = Math.floor(random() * (text.match(word)?.length ?? 1));
  let at = 0;
  return text.replace(word, (old) => (at++ === place ? pick(words, random) : old));
}

/** Rarely deep enough to overflow the stack of a careless recursion. */
const deep = (random: () => number): number => {
  const kind = random();
  return kind < 0.9 ? 1 + Math.floor(random() * 6) : kind < 0.99 ? Math.floor(random() * 200) : 5_000;
};
