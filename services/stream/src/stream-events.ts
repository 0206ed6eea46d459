import { asOf, outputView, type Executions } from '@switchyard/executions';
import type {
  AnnouncementMessage,
  ExecutionChangeMessage,
  ExecutionOutputMessage,
  RecordChangeMessage,
} from '@switchyard/messaging';
import { isStatus, type ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { aliasEvent } from './alias-event';
import type { FeedItem } from './message-feed';

/** An event as readers get it; its name has no prefix yet. */
export interface StreamEvent {
  /** `execution__update`, `announcement__general`, … */
  readonly name: string;
  readonly body: Record<string, unknown>;
  readonly actionRef?: string;
  readonly executionId?: string;
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
      return 'execution.output__create';
    case 'announcement':
      return `announcement__${(message as AnnouncementMessage).route}`;
    case 'actionalias':
      return `actionalias__${(message as RecordChangeMessage).change}`;
    default:
      return undefined;
  }
}

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
      return changeEvent(deps, name, exchange, message as ExecutionChangeMessage);
    case 'execution.output':
      return outputEvent(deps, name, message as ExecutionOutputMessage);
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
  name: string,
  view: 'execution' | 'liveaction',
  { id, liveaction_id, change, status, revision, ref }: ExecutionChangeMessage,
): Promise<StreamEvent | undefined> {
  // Live actions do not carry the id of their execution; filters by execution drop them.
  const facts = { name, actionRef: ref, ...(view === 'execution' ? { executionId: id } : {}) };
  if (change === 'delete') return { ...facts, body: { id: view === 'execution' ? id : liveaction_id } };
  const record = await store.executions.get(id);
  if (!record) return undefined;
  const shown: ExecutionRecord = isStatus(status) ? asOf(record, status, revision) : record;
  return { ...facts, body: await executions.view[view](shown) };
}

async function outputEvent(
  { store }: EventDeps,
  name: string,
  { execution_id: id, sequence }: ExecutionOutputMessage,
): Promise<StreamEvent | undefined> {
  const [chunk] = await store.output.read(id, { after: sequence - 1, limit: 1 });
  if (chunk?.sequence !== sequence) return undefined;
  return { name, body: outputView(chunk), actionRef: chunk.action_ref, executionId: id };
}

const announcementEvent = (name: string, { payload, trace_context }: AnnouncementMessage): StreamEvent => ({
  name,
  body: { payload, trace_context },
});
