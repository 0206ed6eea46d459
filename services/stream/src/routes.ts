import { deferred, fault, isFault, messageOf, type Clock, type Id } from '@switchyard/base';
import { outputView, readOutput, wantsOutput, type Executions } from '@switchyard/executions';
import { route, type EventSink, type Route } from '@switchyard/http';
import { openAccess, type AccessControl } from '@switchyard/identity';
import type { ExecutionChangeMessage, ExecutionOutputMessage } from '@switchyard/messaging';
import { createTask } from '@switchyard/host';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { noMetrics, type Logger, type Metrics } from '@switchyard/telemetry';
import { eventFilter, type EventFilter } from './event-filter';
import { familyStream, LOOK_MS } from './family-stream';
import type { FeedItem, MessageFeed } from './message-feed';
import { eventName, toStreamEvent, type EventDeps } from './stream-events';

export interface StreamRouteDeps extends EventDeps {
  store: Store;
  executions: Executions;
  feed: MessageFeed;
  clock: Clock;
  logger: Logger;
  metrics?: Pick<Metrics, 'shift'>;
  /** Everybody who is known may see everything when absent. */
  access?: Pick<AccessControl, 'authorise'>;
}

export function streamRoutes(deps: StreamRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/stream',
      operation: 'stream.get_all',
      summary:
        'Events as they happen: executions, live actions, output, announcements. Those of an execution that ends the stream, and of all below it, begin with what has happened before.',
      permission: 'stream_view',
      query: {
        events: { type: 'list', description: 'Names of events, or shell patterns of names.' },
        action_refs: { type: 'list' },
        execution_ids: { type: 'list' },
        end_event: { type: 'string', description: 'With end_execution_id: the event after which the stream ends.' },
        end_execution_id: {
          type: 'string',
          description: 'With end_event: the execution, or the live action, whose end that event tells.',
        },
      },
      async handle({ query, requester }) {
        const filter = eventFilter(query);
        const root = (await maySee(deps, requester.user)) ? await rootOf(deps, filter) : undefined;
        return { status: 200, stream: connected(deps, (sink) => streamEvents(deps, filter, root, sink)) };
      },
    }),
    route({
      method: 'GET',
      path: '/executions/{id}/output',
      aliases: ['/actionexecutions/{id}/output'],
      operation: 'stream.execution_output',
      summary: 'The output of one execution: what there is, then what comes, until it ends.',
      permission: 'execution_view',
      query: { output_type: { type: 'string', default: 'all' } },
      async handle({ params, query }) {
        const record = await find(deps, params['id'] ?? '');
        return { status: 200, stream: connected(deps, (sink) => streamOutput(deps, record, query.output_type, sink)) };
      },
    }),
  ];
}

type Stream = (sink: EventSink) => Promise<void>;

/** A stream that counts as a connection for as long as it lasts. */
const connected =
  ({ metrics = noMetrics }: StreamRouteDeps, stream: Stream): Stream =>
  async (sink) => {
    metrics.shift('stream.connections', 1);
    try {
      await stream(sink);
    } finally {
      metrics.shift('stream.connections', -1);
    }
  };

/** Whether somebody may read what is stored of executions. Who may not gets what happens while he reads. */
async function maySee({ access = openAccess }: StreamRouteDeps, user: string): Promise<boolean> {
  try {
    await access.authorise(user, 'execution_view');
    return true;
  } catch (error) {
    if (isFault(error) && error.status === 403) return false;
    throw error;
  }
}

/** The execution that is told from its beginning. One that does not exist is waited for like any other event. */
async function rootOf({ store }: StreamRouteDeps, { endsWith }: EventFilter): Promise<Id | undefined> {
  if (endsWith?.view !== 'liveaction') return endsWith?.id;
  return (await store.executions.getByLiveaction(endsWith.id))?._id;
}

async function streamEvents(
  deps: StreamRouteDeps,
  filter: EventFilter,
  root: Id | undefined,
  sink: EventSink,
): Promise<void> {
  const family = root === undefined ? undefined : familyStream(deps, root, filter, sink);
  const ended = deferred<void>();
  const listener = async (item: FeedItem) => {
    const kind = eventName(item);
    if (kind === undefined || !filter.cares(kind)) return;
    try {
      if (await family?.takes(item)) return;
      const event = await toStreamEvent(deps, item);
      if (!event) return;
      const name = filter.nameFor(event);
      if (name !== undefined) sink.send({ event: name, data: event.body });
      if (filter.isLast(event)) ended.resolve();
    } catch (error) {
      // One event that cannot be made must not cost the reader the rest.
      deps.logger.warn('An event could not be made.', { error: messageOf(error) });
    }
  };
  const leave = await deps.feed.listen(listener);
  sink.open();
  family?.start();
  await Promise.race([ended.promise, sink.closed, ...(family ? [family.ended] : [])]);
  leave();
  await family?.stop();
}

async function find({ store, executions }: StreamRouteDeps, id: string): Promise<ExecutionRecord> {
  if (id !== 'last') return executions.get(id);
  const [newest] = await store.executions.list({ sort: { start_timestamp: -1 }, limit: 1 });
  if (!newest) throw fault('general.invalid-value', { text: 'No executions found in the database' });
  return newest;
}

const ENDS_OUTPUT = (status: Status): boolean => isTerminal(status) || status === 'pausing' || status === 'resuming';

/**
 * Sends every chunk once, in order. Listening begins before the stored chunks are read, and what is sent next is always
 * read from the store by sequence number: nothing is lost or doubled in between.
 */
async function streamOutput(
  deps: StreamRouteDeps,
  record: ExecutionRecord,
  type: string,
  sink: EventSink,
): Promise<void> {
  let position = 0;
  let done: (error?: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (done = resolve));
  const sendNew = async () => {
    const { status } = await deps.executions.get(record._id);
    for await (const chunk of readOutput(deps.store.output, record._id, { after: position })) {
      await sink.drained();
      if (sink.signal.aborted) return;
      position = chunk.sequence;
      if (wantsOutput(type, chunk.output_type))
        sink.send({ event: 'st2.execution.output__create', data: outputView(chunk) });
    }
    if (ENDS_OUTPUT(status)) done();
  };
  const look = createTask({ clock: deps.clock, run: sendNew, everyMs: LOOK_MS, onError: done });
  const leave = await deps.feed.listen(({ exchange, message }) => {
    if (idOf(exchange, message) === record._id) look.wake();
    return Promise.resolve();
  });
  sink.open();
  look.wake();
  const problem = await Promise.race([ended, sink.closed]);
  leave();
  await look.stop();
  if (problem) deps.logger.warn('An output stream ended early.', { execution_id: record._id, error: problem });
  else sink.send({ event: 'EOF', data: "''" });
}

const idOf = (exchange: FeedItem['exchange'], message: FeedItem['message']): string | undefined => {
  if (exchange === 'execution.output') return (message as ExecutionOutputMessage).execution_id;
  return exchange === 'execution' ? (message as ExecutionChangeMessage).id : undefined;
};
