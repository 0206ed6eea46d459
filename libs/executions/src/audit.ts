import { KIB, microsToIso } from '@switchyard/base';
import { isTerminal, MASK, pythonRepr, type ExecutionRecord } from '@switchyard/model';
import type { RecordSecrets } from './execution-record';

export interface AuditLog {
  audit(message: string, fields?: Record<string, unknown>): void;
}

type Secrets = Pick<RecordSecrets, 'secretTexts'>;

/** The length up to which a line shows the parameters, and the result. */
const SHOWN_CHARACTERS = 8 * KIB;

/** Writes the audit log of executions. */
export interface Auditor {
  requested(record: ExecutionRecord): void;
  /** The execution has entered the status in the record. */
  moved(record: ExecutionRecord): void;
}

/**
 * Writes a line for each request, each change of status and each end, in the format that log readers know. Parameters
 * and results are shown as they are stored, with masks in place of their secrets. Logs have more readers than records,
 * so secret parameters that an action has printed are masked as well.
 */
export function createAuditor(logger: AuditLog, secrets: Secrets): Auditor {
  const writeEnd = (record: ExecutionRecord) => {
    if (isTerminal(record.status)) logger.audit('Liveaction completed', completion(record, secrets));
  };
  return {
    requested(record) {
      logger.audit(`Action execution requested. ${ids(record)}`, fields(record));
      writeEnd(record);
    },
    moved(record) {
      const from = record.log.at(-2)?.status ?? 'requested';
      logger.audit(
        `The status of action execution is changed from ${from} to ${record.status}. <${ids(record)}>`,
        fields(record),
      );
      writeEnd(record);
    },
  };
}

const ids = ({ _id, liveaction_id: liveaction }: ExecutionRecord): string =>
  `LiveAction.id=${liveaction}, ActionExecution.id=${_id}`;

const fields = ({ _id, liveaction_id, action_ref, status }: ExecutionRecord) => ({
  execution_id: _id,
  liveaction_id,
  action: action_ref,
  status,
});

const completion = (record: ExecutionRecord, secrets: Secrets) => ({
  ...fields(record),
  parameters: shortened(record.parameters, SHOWN_CHARACTERS),
  result: resultOf(record, secrets),
  start_timestamp: microsToIso(record.start_timestamp),
  ...(record.end_timestamp === undefined ? {} : { end_timestamp: microsToIso(record.end_timestamp) }),
});

/** A result stored outside of its record is not read for a log line. */
function resultOf(record: ExecutionRecord, { secretTexts }: Secrets): unknown {
  const { result, result_blob: blob } = record;
  if (result === undefined) return blob === undefined ? {} : `(${blob.bytes} bytes; see the execution)`;
  const texts = secretTexts(record);
  if (texts === undefined) return '(not shown: the key of the secret parameters is missing)';
  if (texts.length === 0) return shownResult(result);
  return shortened(withoutTexts(JSON.parse(result), texts.flatMap(forms)), SHOWN_CHARACTERS);
}

let lastShown: { readonly result: string; readonly value: unknown } | undefined;

/** Caches the last one, because thousands of executions that are canceled together have the same result. */
function shownResult(result: string): unknown {
  if (lastShown?.result !== result) lastShown = { result, value: shortened(JSON.parse(result), SHOWN_CHARACTERS) };
  return lastShown.value;
}

/** Shorter secrets would match everywhere; they are masked only where they are the whole value. */
const SHORTEST_PART = 4;

function withoutTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'number') return texts.includes(String(value)) ? MASK : value;
  if (typeof value === 'string') return withoutParts(value, texts);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, texts));
  const members = Object.entries(value).map(([name, member]) => [
    withoutParts(name, texts),
    withoutTexts(member, texts),
  ]);
  return Object.fromEntries(members) as unknown;
}

function withoutParts(text: string, secrets: readonly string[]): string {
  const isWhole = (secret: string) => secret === text || secret === text.trim();
  if (secrets.some(isWhole)) return MASK;
  return secrets.reduce(
    (shown, secret) => (secret.length < SHORTEST_PART ? shown : shown.replaceAll(secret, () => MASK)),
    text,
  );
}

/** The forms in which a secret may appear inside other text. */
const forms = (text: string): string[] => [text, inside(JSON.stringify(text)), inside(pythonRepr(text))];

const inside = (quoted: string): string => quoted.slice(1, -1);

/** Longer texts are cut. */
const LONGEST_TEXT = 2048;
/** The cost of a value in addition to its characters. It also limits the depth. */
const VALUE_COST = 8;
const LEFT_OUT = '…';

/**
 * A copy of a JSON value of at most about `most` characters, for people to read. Long texts are cut, and the rest is left out
 * when the limit is reached. Members keep their names, so that a log can still mask them by name.
 */
const shortened = (value: unknown, most: number): unknown => shorten(value, { left: most });

interface Room {
  left: number;
}

function shorten(value: unknown, room: Room): unknown {
  room.left -= VALUE_COST;
  if (typeof value === 'string') return shortText(value, room);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return shortList(value, room);
  const members = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [name, member] of members) {
    if (room.left < name.length) break;
    room.left -= name.length;
    kept.push([name, shorten(member, room)]);
  }
  const missing = members.length - kept.length;
  return Object.fromEntries(missing === 0 ? kept : [...kept, [LEFT_OUT, `${missing} more`]]);
}

function shortList(items: readonly unknown[], room: Room): unknown[] {
  const kept: unknown[] = [];
  while (kept.length < items.length && room.left > 0) kept.push(shorten(items[kept.length], room));
  const missing = items.length - kept.length;
  return missing === 0 ? kept : [...kept, `${LEFT_OUT} ${missing} more`];
}

function shortText(text: string, room: Room): string {
  const most = Math.max(0, Math.min(LONGEST_TEXT, room.left));
  room.left -= Math.min(text.length, most);
  return text.length <= most ? text : `${text.slice(0, most)}${LEFT_OUT} (${text.length} characters)`;
}
