/** Option names of the reference's client, and the names that they have here. */
const ALIASES: Readonly<Record<string, string>> = {
  '-tg': '--timestamp-gt',
  '-tl': '--timestamp-lt',
  '-pt': '--policy-type',
  '-ty': '--timer-type',
  '--timestamp_gt': '--timestamp-gt',
  '--timestamp_lt': '--timestamp-lt',
  '--trigger_instance': '--trigger-instance',
  '--trace_tag': '--trace-tag',
  '--trace_id': '--trace-id',
};

/** Options that take several words, with patterns for these words. An id is never an attribute. */
const ATTRIBUTE = /^(?![0-9a-f]{24}$)[\w$][\w.,:*$[\]-]*$/;
const NUMBER = /^\d+$/;
const TASK = /^(?![0-9a-f]{24}$)\w[\w.,-]*$/;
const WORD_LISTS: Readonly<Record<string, RegExp>> = {
  '--attr': ATTRIBUTE,
  '--width': NUMBER,
  '--types': /^[a-z_,]+$/,
  '--tasks': TASK,
  '--no-reset': TASK,
};

/**
 * Rewrites arguments to one word for each option: `--attr id status k=v` becomes `--attr=id,status k=v`, so that lists end
 * where they should. Does not change words after `--`.
 */
export function normaliseArguments(words: readonly string[]): string[] {
  const literal = words.indexOf('--');
  const options = literal < 0 ? words : words.slice(0, literal);
  const result: string[] = [];
  const names = commandWords(options);
  for (let index = 0; index < options.length; index++) {
    const word = fullName(options[index] ?? '', names);
    const pattern = WORD_LISTS[word];
    const values: string[] = [];
    while (pattern?.test(options[index + 1] ?? '')) values.push(options[++index] ?? '');
    result.push(values.length ? `${word}=${values.join(',')}` : word);
  }
  return literal < 0 ? result : [...result, ...words.slice(literal)];
}

/** `-a` is `--async` for commands that start an execution, else `--attr`. `-w` of `login` is not `--width`. */
function fullName(word: string, [group = '', command = '']: readonly string[]): string {
  const starts = group === 'run' || STARTING.has(command) || (group === 'action-alias' && command === 'test');
  if (word === '-a' && !starts) return '--attr';
  if (word === '-w' && group !== 'login') return '--width';
  return ALIASES[word] ?? word;
}

const STARTING: ReadonlySet<string> = new Set(['execute', 're-run']);

/** The first two words that are neither options nor values of options. */
function commandWords(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < words.length && found.length < 2; index++) {
    const word = words[index] ?? '';
    if (TAKES_VALUE.has(word)) index += 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}

const TAKES_VALUE = new Set([
  '--url',
  '--api-url',
  '--auth-url',
  '--stream-url',
  '--api-version',
  '--cacert',
  '--basic-auth',
  '--config-file',
  '-t',
  '--token',
  '--api-key',
]);
