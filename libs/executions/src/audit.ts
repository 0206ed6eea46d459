import { KIB, microsToIso } from '@switchyard/base';
import { isTerminal, MASK, pythonRepr, type ExecutionRecord } from '@switchyard/model';
import type { Announcer } from './announce';
import type { SecretKeeper } from './secrets';
import { shortened } from './shortened';

export interface AuditLog {
  audit(message: string, fields?: Record<string, unknown>): void;
}

type Secrets = Pick<SecretKeeper, 'secretTexts'>;

/** How much of the parameters, and of the result, a line shows. */
const SHOWN_CHARACTERS = 8 * KIB;

/**
 * Writes a line of the audit log for each request, each change of a status and each end, in the words that log readers know.
 * Parameters and results are shown as they are stored, with masks in place of their secrets. A log goes to more people
 * than a record does, so secret parameters that an action has printed are masked as well.
 */
export function audited(announce: Announcer, logger: AuditLog, secrets: Secrets): Announcer {
  const tellEnd = (record: ExecutionRecord) => {
    if (isTerminal(record.status)) logger.audit('Liveaction completed', completion(record, secrets));
  };
  return {
    ...announce,
    created(record) {
      logger.audit(`Action execution requested. ${ids(record)}`, fields(record));
      tellEnd(record);
      announce.created(record);
    },
    moved(record, atWork) {
      const from = record.log.at(-2)?.status ?? 'requested';
      logger.audit(
        `The status of action execution is changed from ${from} to ${record.status}. <${ids(record)}>`,
        fields(record),
      );
      tellEnd(record);
      announce.moved(record, atWork);
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

/** A result that lies beside its record is not fetched for a line of the log. */
function resultOf(record: ExecutionRecord, { secretTexts }: Secrets): unknown {
  const { result, result_blob: blob } = record;
  if (result === undefined) return blob === undefined ? {} : `(${blob.bytes} bytes; see the execution)`;
  const texts = secretTexts(record);
  if (texts === undefined) return '(not shown: the key of the secret parameters is missing)';
  const parsed: unknown = JSON.parse(result);
  return shortened(texts.length === 0 ? parsed : withoutTexts(parsed, texts.flatMap(forms)), SHOWN_CHARACTERS);
}

/** Shorter secrets would be found everywhere; they are masked where they are all there is. */
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

/** How a secret looks where it was printed as part of something else. */
const forms = (text: string): string[] => [text, inside(JSON.stringify(text)), inside(pythonRepr(text))];

const inside = (quoted: string): string => quoted.slice(1, -1);
