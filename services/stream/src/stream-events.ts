import { asOf, outputView, type Executions } from '@switchyard/executions';
import type { AnnouncementMessage, ExecutionChangeMessage, ExecutionOutputMessage } from '@switchyard/messaging';
import { isStatus, type ExecutionRecord, type OutputRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { aliasEvent } from './alias-event';
import type { FeedItem } from './message-feed';

/** The properties of an event that filters use. */
export interface EventFacts {
  /** `execution__update`, `announcement__general`, …, without a prefix. */
  readonly name: string;
  readonly actionRef?: string;
  readonly executionId?: string;
}

/** An event as readers get it. */
export interface ServedEvent extends EventFacts {
  readonly body: Record<string, unknown>;
}

export interface EventDeps {
  store: Pick<Store, 'output' | 'actionAliases' | 'actions' | 'runnerTypes'>;
  executions: Pick<Executions, 'records' | 'view'>;
}

/** The name of the event of a message, without a prefix. */
export function eventName({ exchange, message }: FeedItem): string {
  switch (exchange) {
    case 'execution':
    case 'liveaction':
      return `${exchange}__${message.change}`;
    case 'execution.output':
      return OUTPUT_EVENT;
    case 'announcement':
      return `announcement__${message.route}`;
    case 'actionalias':
      return `actionalias__${message.change}`;
  }
}

export const OUTPUT_EVENT = 'execution.output__create';

export const outputFacts = (chunk: Pick<OutputRecord, 'action_ref' | 'execution_id'>): EventFacts => ({
  name: OUTPUT_EVENT,
  actionRef: chunk.action_ref,
  executionId: chunk.execution_id,
});

/** An execution and its live action are one record, but each has its own events. */
export const executionFacts = (
  view: 'execution' | 'liveaction',
  change: ExecutionChangeMessage['change'],
  { id, ref }: Pick<ExecutionChangeMessage, 'id' | 'ref'>,
): EventFacts => ({
  name: `${view}__${change}`,
  actionRef: ref,
  // Live actions do not carry the id of their execution, so filters by execution drop them.
  ...(view === 'execution' ? { executionId: id } : {}),
});

/**
 * Reads the record that a message refers to. If the execution has already left the status of the message, the event shows it
 * as it was in that status.
 * @returns undefined when the record is gone
 */
export type EventReader = (item: FeedItem) => Promise<ServedEvent | undefined>;

/** Reads the record of a message once and builds each of its events once, however many listeners there are. */
export function createEventReader({ store, executions }: EventDeps): EventReader {
  const recordOf = once(({ id }: ExecutionChangeMessage) => executions.records.get(id));
  return once((item: FeedItem): Promise<ServedEvent | undefined> => {
    const { exchange, message } = item;
    switch (exchange) {
      case 'execution':
      case 'liveaction':
        return changeEvent({ recordOf, view: executions.view[exchange] }, exchange, message);
      case 'execution.output':
        return outputEvent(store, message);
      case 'announcement':
        return Promise.resolve(announcementEvent(eventName(item), message));
      case 'actionalias':
        return aliasEvent(store, eventName(item), message);
    }
  });
}

/** Caches reads for as long as the key is in use. A failed read is repeated. */
function once<K extends object, V>(read: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new WeakMap<K, Promise<V>>();
  return (key) => {
    const reading =
      known.get(key) ??
      read(key).catch((error: unknown) => {
        known.delete(key);
        throw error;
      });
    known.set(key, reading);
    return reading;
  };
}

interface ChangeReads {
  recordOf(message: ExecutionChangeMessage): Promise<ExecutionRecord | undefined>;
  view(record: ExecutionRecord): Promise<Record<string, unknown>>;
}

async function changeEvent(
  { recordOf, view }: ChangeReads,
  exchange: 'execution' | 'liveaction',
  message: ExecutionChangeMessage,
): Promise<ServedEvent | undefined> {
  const { id, liveaction_id, change, status, revision } = message;
  const facts = executionFacts(exchange, change, message);
  if (change === 'delete') return { ...facts, body: { id: exchange === 'execution' ? id : liveaction_id } };
  const record = await recordOf(message);
  if (!record) return undefined;
  const shown: ExecutionRecord = isStatus(status) ? asOf(record, status, revision) : record;
  return { ...facts, body: await view(shown) };
}

async function outputEvent(
  store: Pick<Store, 'output'>,
  { execution_id: id, sequence }: ExecutionOutputMessage,
): Promise<ServedEvent | undefined> {
  const [chunk] = await store.output.read(id, { after: sequence - 1, limit: 1 });
  return chunk?.sequence === sequence ? { ...outputFacts(chunk), body: outputView(chunk) } : undefined;
}

const announcementEvent = (name: string, { payload, trace_context }: AnnouncementMessage): ServedEvent => ({
  name,
  body: { payload, trace_context },
});
