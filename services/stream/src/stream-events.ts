import { asOf, outputView, type Executions } from '@switchyard/executions';
import type {
  AnnouncementMessage,
  ExecutionChangeMessage,
  ExecutionOutputMessage,
  RecordChangeMessage,
} from '@switchyard/messaging';
import { isStatus, type ExecutionRecord, type OutputRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { aliasEvent } from './alias-event';
import type { FeedItem } from './message-feed';

/** What filters ask about an event. */
export interface EventFacts {
  /** `execution__update`, `announcement__general`, …; it has no prefix yet. */
  readonly name: string;
  readonly actionRef?: string;
  readonly executionId?: string;
}

/** An event as readers get it. */
export interface StreamEvent extends EventFacts {
  readonly body: Record<string, unknown>;
}

export interface EventDeps {
  store: Pick<Store, 'executions' | 'output' | 'actionAliases' | 'actions' | 'runnerTypes'>;
  executions: Pick<Executions, 'view'>;
}

/** The name of the event that a message leads to, without prefix; undefined when it leads to none. */
export function eventName({ exchange, message }: FeedItem): string | undefined {
  switch (exchange) {
    case 'execution':
    case 'liveaction':
      return `${exchange}__${(message as ExecutionChangeMessage).change}`;
    case 'execution.output':
      return OUTPUT_EVENT;
    case 'announcement':
      return `announcement__${(message as AnnouncementMessage).route}`;
    case 'actionalias':
      return `actionalias__${(message as RecordChangeMessage).change}`;
    default:
      return undefined;
  }
}

export const OUTPUT_EVENT = 'execution.output__create';

export const outputFacts = (chunk: Pick<OutputRecord, 'action_ref' | 'execution_id'>): EventFacts => ({
  name: OUTPUT_EVENT,
  actionRef: chunk.action_ref,
  executionId: chunk.execution_id,
});

/** An execution and its live action are one record, of which each has events of its own. */
export const executionFacts = (
  view: 'execution' | 'liveaction',
  change: ExecutionChangeMessage['change'],
  { id, ref }: Pick<ExecutionChangeMessage, 'id' | 'ref'>,
): EventFacts => ({
  name: `${view}__${change}`,
  actionRef: ref,
  // Live actions do not carry the id of their execution; filters by execution drop them.
  ...(view === 'execution' ? { executionId: id } : {}),
});

/**
 * What a message tells, read from the store. An event of a status that the execution has already left shows the
 * execution as it was then.
 * @returns undefined when the record is gone
 */
export async function toStreamEvent(deps: EventDeps, item: FeedItem): Promise<StreamEvent | undefined> {
  const { exchange, message } = item;
  const name = eventName(item);
  if (name === undefined) return undefined;
  switch (exchange) {
    case 'execution':
    case 'liveaction':
      return changeEvent(deps, exchange, message as ExecutionChangeMessage);
    case 'execution.output':
      return outputEvent(deps, message as ExecutionOutputMessage);
    case 'announcement':
      return announcementEvent(name, message as AnnouncementMessage);
    case 'actionalias':
      return aliasEvent(deps.store, name, message as RecordChangeMessage);
    default:
      return undefined;
  }
}

async function changeEvent(
  { store, executions }: EventDeps,
  view: 'execution' | 'liveaction',
  message: ExecutionChangeMessage,
): Promise<StreamEvent | undefined> {
  const { id, liveaction_id, change, status, revision } = message;
  const facts = executionFacts(view, change, message);
  if (change === 'delete') return { ...facts, body: { id: view === 'execution' ? id : liveaction_id } };
  const record = await store.executions.get(id);
  if (!record) return undefined;
  const shown: ExecutionRecord = isStatus(status) ? asOf(record, status, revision) : record;
  return { ...facts, body: await executions.view[view](shown) };
}

async function outputEvent(
  { store }: EventDeps,
  { execution_id: id, sequence }: ExecutionOutputMessage,
): Promise<StreamEvent | undefined> {
  const [chunk] = await store.output.read(id, { after: sequence - 1, limit: 1 });
  return chunk?.sequence === sequence ? { ...outputFacts(chunk), body: outputView(chunk) } : undefined;
}

const announcementEvent = (name: string, { payload, trace_context }: AnnouncementMessage): StreamEvent => ({
  name,
  body: { payload, trace_context },
});
