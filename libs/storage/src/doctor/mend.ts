import type { Micros } from '@switchyard/base';
import { isStatus, isTerminal } from '@switchyard/model';
import { readDocument } from '../bson/read-document';
import { salvage, withNotes } from '../bson/mend-bytes';
import type { ExaminedDocument } from './examine-record';
import type { DoctorFinding } from './finding';

/** The repaired form of a record. */
export function mended(finding: DoctorFinding, id: string, bytes: Buffer, now: Micros): ExaminedDocument {
  const { collection, problem, remedy, detail } = finding;
  const document = problem === 'unreadable' ? salvaged(bytes, id) : readDocument(withNotes(bytes), () => id);
  if (collection === 'executions') {
    if (remedy === 'detach') return without(document, ['parent']);
    const whole = withDefaults(document, now);
    if (!hasEnded(document)) return ended(whole, detail, now);
    const isResultLost = problem === 'bad-result';
    return isResultLost ? { ...without(whole, OF_RESULT), ...resultOf(detail) } : whole;
  }
  if (collection === 'trigger_instances') return failed(document, detail);
  // A definition that differs from what its author wrote must not take effect.
  return 'enabled' in document ? { ...document, enabled: false } : document;
}

function salvaged(bytes: Buffer, id: string): ExaminedDocument {
  const { document, lost } = salvage(bytes);
  return { _id: id, ...document, ...withoutUndefined(lost) };
}

const withoutUndefined = (fields: ExaminedDocument): ExaminedDocument =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function without(document: ExaminedDocument, fields: readonly string[]): ExaminedDocument {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !fields.includes(name)));
}

const hasEnded = ({ status }: ExaminedDocument): boolean =>
  isStatus(String(status)) && isTerminal(String(status) as never);

/** Fields that every reader of executions expects. */
function withDefaults(document: ExaminedDocument, now: Micros): ExaminedDocument {
  const start = document['start_timestamp'] ?? document['schedule_at'] ?? now;
  const ends = hasEnded(document) ? { end_timestamp: now } : {};
  return {
    ...{ revision: 1, parameters: {}, context: {}, log: [], web_url: '', pool: 'default', priority: 0 },
    ...{ action_is_workflow: false, idempotent: false, start_timestamp: start, schedule_at: start, ...ends },
    ...document,
  };
}

const WAITING: readonly unknown[] = ['requested', 'delayed', 'scheduled'];
const OF_RESULT = ['result_blob', 'sealed_result'];
const OF_WORK = [...OF_RESULT, 'slot', 'claim', 'process', 'waits_on', 'waiting_for', 'due', 'due_at'];

/**
 * Ends an execution that cannot continue. The sweep notifies the consumers, as for every end. This is the only place besides
 * `transition` that writes a status, because no service is running that could handle messages.
 */
function ended(document: ExaminedDocument, detail: string, now: Micros): ExaminedDocument {
  const status = WAITING.includes(document['status']) ? 'failed' : 'abandoned';
  const due = [
    ...(document['workflow_execution'] === undefined ? [] : ['workflow-engine']),
    ...(document['notify'] === undefined && document['retries'] === undefined ? [] : ['notifier']),
  ];
  const log = Array.isArray(document['log']) ? (document['log'] as unknown[]) : [];
  return {
    ...without(document, OF_WORK),
    ...resultOf(detail),
    ...(due.length > 0 ? { due, due_at: now } : {}),
    status,
    revision: Number(document['revision']) + 1,
    end_timestamp: now,
    log: [...log, { status, timestamp: now }],
  };
}

function resultOf(detail: string): ExaminedDocument {
  const result = JSON.stringify({ error: `svc doctor has repaired this execution: ${detail}.` });
  return { result, result_size: Buffer.byteLength(result) };
}

const OPEN: readonly unknown[] = ['pending', 'processing'];

/** Ends an event so that rules no longer act on it. */
function failed(document: ExaminedDocument, detail: string): ExaminedDocument {
  if (!OPEN.includes(document['status'])) return document;
  const outcome = { matched: [], rules: 0, reason: `svc doctor has repaired this event: ${detail}.` };
  return { ...without(document, ['due', 'due_at']), status: 'processing_failed', outcome };
}
