import { fault, type Fault } from './errors/fault';
import { jsonSize } from './json';
import { MIB } from './units';

/** Limits on data from outside. Lengths are bytes of UTF-8. */
export interface DataLimits {
  /** Nesting depth of objects and arrays: `[[1]]` has a depth of 2. */
  readonly maxDepth: number;
  /** Total number of object members and array elements, at all depths. */
  readonly maxMembers: number;
  readonly maxKeyLength: number;
  readonly maxStringLength: number;
}

/** The defaults of the options in `[limits]`, for code without a configuration. */
export const defaultDataLimits: DataLimits = {
  maxDepth: 100,
  maxMembers: 200_000,
  maxKeyLength: 1024,
  maxStringLength: 16 * MIB,
};

/** Results stored before there were limits may be nested deeper than the code that masks, copies and shows them can handle. */
export const DEEPEST_RESULT = 500;

export interface Excess {
  /** `nulInKey` has no option: no store accepts such a key. */
  readonly limit: keyof DataLimits | 'nulInKey';
  readonly allowed: number;
  /** Path in the value, such as `payload.items[3]`. Empty for the value itself; `character 17` if only its text was scanned. */
  readonly path: string;
}

interface Frame {
  readonly container: object;
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** The first part of a value that exceeds a limit. Uses memory for `maxDepth` frames at most, whatever the value is. */
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

/** A buffer counts as one value, whatever its length. */
const isContainer = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !ArrayBuffer.isView(value);

function frameOf(container: object): Frame {
  const keys = Array.isArray(container) ? undefined : Object.keys(container);
  return { container, keys, length: keys ? keys.length : (container as unknown[]).length, next: 0 };
}

/** The innermost frame with members left. Finished frames are dropped. */
function nextFrame(open: Frame[]): Frame | undefined {
  for (;;) {
    const top = open[open.length - 1];
    if (!top || top.next < top.length) return top;
    open.pop();
  }
}

/** Whether a text has more than the given number of bytes. A UTF-16 code unit takes at most three bytes of UTF-8. */
export const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && (text.length > bytes || Buffer.byteLength(text) > bytes);

const LONGEST_KEY_SHOWN = 40;
const LONGEST_PATH = 200;

function pathOf(open: readonly Frame[]): string {
  let path = '';
  for (const { keys, next } of open) {
    // `next` is already the index after the current member.
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
  maxStringLength: { option: 'max_string_length', text: (allowed) => `has a string of more than ${allowed} bytes` },
};

/** A sentence that names the option: `The value at a.b is nested deeper than 100 levels (limits.max_depth)`. */
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

/** The default of `limits.max_record_bytes`, for code without a configuration. */
export const DEFAULT_MAX_RECORD_BYTES = 4 * MIB;

/**
 * Rejects values that would make a record too large. Each change of a record reads and writes all of it in one turn of the event loop.
 * @param what for the message: `The payload`
 * @throws Fault `data.limit`
 */
export function checkRecordSize(value: unknown, what: string, allowed = DEFAULT_MAX_RECORD_BYTES): void {
  if (jsonSize(value, allowed) <= allowed) return;
  const limit = 'limits.max_record_bytes';
  throw fault(
    'data.limit',
    { text: `${what} cannot have more than ${allowed} bytes as JSON (${limit})` },
    { extra: { limit } },
  );
}

/** Cuts a text to the maximum length, and adds a note if it was cut. */
export function boundedText(text: string, { maxStringLength }: Pick<DataLimits, 'maxStringLength'>): string {
  if (!isLonger(text, maxStringLength)) return text;
  const kept = Buffer.from(text).subarray(0, maxStringLength).toString();
  return `${kept}\n[output truncated: ${maxStringLength} bytes kept (limits.max_string_length)]`;
}

/** Replaces a value that exceeds a limit but cannot be rejected: its JSON text with the reason. */
export const keptAsText = (json: string, reason: string, limits: DataLimits): string =>
  `${boundedText(json, limits)}\n[kept as text: ${reason}]`;

/** The default of `limits.max_pattern_length`, for code without a configuration. */
export const DEFAULT_MAX_PATTERN_LENGTH = 8192;

/**
 * Rejects a pattern that would take too long to compile.
 * @param where what the pattern is, for the message: `pattern of "trigger.name"`
 * @throws Fault `request.pattern-too-long`
 */
export function checkPatternLength(pattern: string, where: string, allowed = DEFAULT_MAX_PATTERN_LENGTH): void {
  if (pattern.length > allowed) throw fault('request.pattern-too-long', { where, length: pattern.length, allowed });
}
