import { fault, type Fault } from './errors/fault';
import { MIB } from './units';

/** What data from outside may be at most. Lengths are bytes of UTF-8. */
export interface DataLimits {
  /** How many objects and arrays lie in each other: `[[1]]` has a depth of 2. */
  readonly maxDepth: number;
  /** All members of objects and elements of arrays together, at every depth. */
  readonly maxMembers: number;
  readonly maxKeyLength: number;
  readonly maxStringLength: number;
}

/** The defaults of the options in `[limits]`, for what has no configuration. */
export const defaultDataLimits: DataLimits = {
  maxDepth: 100,
  maxMembers: 200_000,
  maxKeyLength: 1024,
  maxStringLength: 16 * MIB,
};

/** Results that were stored before there were limits may be nested deeper than what masks, copies and shows them can go. */
export const DEEPEST_RESULT = 500;

export interface Excess {
  /** `nulInKey` is no option: no store takes such a key. */
  readonly limit: keyof DataLimits | 'nulInKey';
  readonly allowed: number;
  /** Where in the value: `payload.items[3]`; empty for the value itself, `character 17` when only its text was read. */
  readonly path: string;
}

interface Frame {
  readonly container: object;
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** The first thing in a value that is beyond a limit. Needs no more memory than `maxDepth` frames, whatever it is given. */
export function findExcess(value: unknown, limits: DataLimits): Excess | undefined {
  const open: Frame[] = [];
  let members = 0;
  let current = value;
  const found = (limit: keyof DataLimits): Excess => ({ limit, allowed: limits[limit], path: pathOf(open) });
  for (;;) {
    if (typeof current === 'string') {
      if (isLonger(current, limits.maxStringLength)) return found('maxStringLength');
    } else if (isContainer(current)) {
      if (open.length >= limits.maxDepth) return found('maxDepth');
      const frame = frameOf(current);
      members += frame.length;
      if (members > limits.maxMembers) return found('maxMembers');
      open.push(frame);
    }
    const frame = nextFrame(open);
    if (!frame) return undefined;
    const key = frame.keys?.[frame.next];
    current = (frame.container as Record<string | number, unknown>)[key ?? frame.next];
    frame.next++;
    if (key === undefined) continue;
    if (isLonger(key, limits.maxKeyLength)) return found('maxKeyLength');
    if (key.includes('\0')) return { limit: 'nulInKey', allowed: 0, path: pathOf(open) };
  }
}

/** Bytes are one value, however many there are of them. */
const isContainer = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !ArrayBuffer.isView(value);

function frameOf(container: object): Frame {
  const keys = Array.isArray(container) ? undefined : Object.keys(container);
  return { container, keys, length: keys ? keys.length : (container as unknown[]).length, next: 0 };
}

/** The innermost one that is not through; those above it are dropped. */
function nextFrame(open: Frame[]): Frame | undefined {
  for (;;) {
    const top = open[open.length - 1];
    if (!top || top.next < top.length) return top;
    open.pop();
  }
}

/** No character of UTF-16 takes more than three bytes of UTF-8. */
export const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && (text.length > bytes || Buffer.byteLength(text) > bytes);

const LONGEST_KEY_SHOWN = 40;
const LONGEST_PATH = 200;

function pathOf(open: readonly Frame[]): string {
  let path = '';
  for (const { keys, next } of open) {
    // The frame has gone on to the one after it.
    const key = keys?.[next - 1]?.slice(0, LONGEST_KEY_SHOWN).replaceAll('\0', '\\0');
    path += next === 0 ? '' : key === undefined ? `[${next - 1}]` : `${path === '' ? '' : '.'}${key}`;
    if (path.length > LONGEST_PATH) return `${path.slice(0, LONGEST_PATH)}…`;
  }
  return path;
}

const options: Record<keyof DataLimits, { readonly option: string; readonly text: (allowed: number) => string }> = {
  maxDepth: { option: 'max_depth', text: (allowed) => `is nested deeper than ${allowed} levels` },
  maxMembers: { option: 'max_members', text: (allowed) => `has more than ${allowed} members and elements` },
  maxKeyLength: { option: 'max_key_length', text: (allowed) => `has a key of more than ${allowed} bytes` },
  maxStringLength: { option: 'max_string_length', text: (allowed) => `has a text of more than ${allowed} bytes` },
};

/** What is wrong, with the option to set: `The value at a.b is nested deeper than 100 levels (limits.max_depth)`. */
export function excessText({ limit, allowed, path }: Excess): string {
  const where = path === '' ? 'The value' : `The value at ${path}`;
  if (limit === 'nulInKey') return `${where} has a key with a NUL character`;
  return `${where} ${options[limit].text(allowed)} (limits.${options[limit].option})`;
}

export function excessFault(excess: Excess): Fault {
  const text = excessText(excess);
  if (excess.limit === 'nulInKey') return fault('data.key', { text });
  return fault('data.limit', { text }, { extra: { limit: `limits.${options[excess.limit].option}` } });
}

/** @throws Fault `data.limit` or `data.key` */
export function assertWithin(value: unknown, limits: DataLimits): void {
  const excess = findExcess(value, limits);
  if (excess) throw excessFault(excess);
}

/** A text that is no longer than a text may be: the rest of it is cut off, with a note. */
export function boundedText(text: string, { maxStringLength }: Pick<DataLimits, 'maxStringLength'>): string {
  if (!isLonger(text, maxStringLength)) return text;
  const kept = Buffer.from(text).subarray(0, maxStringLength).toString();
  return `${kept}\n[output truncated: ${maxStringLength} bytes kept (limits.max_string_length)]`;
}

/** What stands for a value beyond a limit where it cannot be refused: its text, and why. @param json its text */
export const keptAsText = (json: string, reason: string, limits: DataLimits): string =>
  `${boundedText(json, limits)}\n[kept as text: ${reason}]`;
