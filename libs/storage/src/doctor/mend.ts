import type { Micros } from '@switchyard/base';
import { isStatus, isTerminal } from '@switchyard/model';
import { readDocument } from '../bson/read-document';
import { salvage, withNotes } from '../bson/mend-bytes';
import type { Document } from './examine-record';
import type { Finding } from './finding';

/** A record as it is to be stored once it has been repaired. */
export function mended(finding: Finding, id: string, bytes: Buffer, now: Micros): Document {
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
  // Nobody should act on what is not as somebody wrote it.
  return 'enabled' in document ? { ...document, enabled: false } : document;
}

function salvaged(bytes: Buffer, id: string): Document {
  const { document, lost } = salvage(bytes);
  return { _id: id, ...document, ...withoutUndefined(lost) };
}

const withoutUndefined = (fields: Document): Document =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function without(document: Document, fields: readonly string[]): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !fields.includes(name)));
}

const hasEnded = ({ status }: Document): boolean => isStatus(String(status)) && isTerminal(String(status) as never);

/** Fields that every reader of executions expects. */
function withDefaults(document: Document, now: Micros): Document {
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
 * An execution that cannot go on, as an ended one. Others are told by the sweep, as of every end. This is the one place beside
 * `transition` that writes a status: there is no process whose messages could be heard.
 */
function ended(document: Document, detail: string, now: Micros): Document {
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

function resultOf(detail: string): Document {
  const result = JSON.stringify({ error: `svc doctor has repaired this execution: ${detail}.` });
  return { result, result_size: Buffer.byteLength(result) };
}

const OPEN: readonly unknown[] = ['pending', 'processing'];

/** An event that no rule may act on any more. */
function failed(document: Document, detail: string): Document {
  if (!OPEN.includes(document['status'])) return document;
  const outcome = { matched: [], rules: 0, reason: `svc doctor has repaired this event: ${detail}.` };
  return { ...without(document, ['due', 'due_at']), status: 'processing_failed', outcome };
}
