import { deferred, fault, messageOf, type Clock, type Id } from '@switchyard/base';
import { outputView, parentsOfExecution, readOutput, wantsOutput, type Executions } from '@switchyard/executions';
import { route, type EventSink, type Guarded, type Mount, type Requester, type Route } from '@switchyard/http';
import { openAccess, type AccessControl } from '@switchyard/identity';
import { createTask } from '@switchyard/host';
import { isTerminal, toUid, type ExecutionRecord, type Status } from '@switchyard/model';
import { noMetrics, type Logger, type Metrics } from '@switchyard/telemetry';
import { eventData } from './event-data';
import { eventFilter, type EventFilter } from './event-filter';
import { eventSight, type EventSight, type SightDeps } from './event-sight';
import { familyStream, LOOK_MS } from './family-stream';
import type { FeedItem, MessageFeed } from './message-feed';
import { createSharedReads, type SharedReads } from './shared-reads';
import { createEventReader, eventName, type EventDeps, type EventReader } from './stream-events';

export interface StreamRouteDeps extends EventDeps {
  store: EventDeps['store'];
  executions: Pick<Executions, 'get' | 'records' | 'view'>;
  feed: MessageFeed;
  clock: Clock;
  logger: Logger;
  metrics?: Pick<Metrics, 'shift'>;
  /** If absent, every authenticated user may see everything. */
  access?: AccessControl;
  config?: SightDeps['config'];
}

/** The routes below the paths of a front end, so that it may forward requests as they are. */
export const streamMounts = (routes: readonly Route[]): Mount[] => [
  { prefixes: ['/stream', '/stream/v1'], routes },
  // Older clients read events here.
  { prefixes: ['/api', '/api/v1'], routes: routes.filter(({ path }) => path === '/stream') },
];

export function streamRoutes(deps: StreamRouteDeps): Route[] {
  const readEvent = createEventReader(deps);
  const reads = createSharedReads(deps);
  return [
    route({
      method: 'GET',
      path: '/stream',
      operation: 'stream.get_all',
      summary:
        'Events as they happen: executions, live actions, output, announcements. With end_execution_id, past events of that execution and of all executions below it come first.',
      permission: 'stream_view',
      query: {
        events: { type: 'list', description: 'Names of events, or shell patterns of names.' },
        action_refs: { type: 'list' },
        execution_ids: { type: 'list' },
        end_event: { type: 'string', description: 'The stream ends after this event of end_execution_id.' },
        end_execution_id: {
          type: 'string',
          description: 'The execution or live action whose end_event ends the stream.',
        },
      },
      response: { status: 200, type: 'text/event-stream' },
      async handle({ query, requester }) {
        const filter = eventFilter(query);
        const sight = sightOf(deps, requester);
        const root = await rootOf(deps, filter, sight);
        return {
          status: 200,
          stream: connected(deps, (sink) => streamEvents({ ...deps, readEvent, reads, sight }, filter, root, sink)),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/executions/{id}/output',
      aliases: ['/actionexecutions/{id}/output'],
      operation: 'stream.execution_output',
      summary: 'The output of one execution: first what exists, then new output until it ends.',
      permission: 'execution_view',
      resource: ({ params, requester }) => guardedOutput(deps, params.id, requester),
      query: { output_type: { type: 'string', default: 'all' } },
      response: { status: 200, type: 'text/event-stream' },
      async handle({ params, query, requester }) {
        const record = await find(deps, params.id, sightOf(deps, requester));
        return {
          status: 200,
          stream: connected(deps, (sink) => streamOutput({ ...deps, reads }, record, query.output_type, sink)),
        };
      },
    }),
  ];
}

type Stream = (sink: EventSink) => Promise<void>;

/** Counts a stream as a connection while it lasts. */
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

const sightOf = ({ access = openAccess, executions, config }: StreamRouteDeps, requester: Requester): EventSight =>
  eventSight({ access, executions, ...(config ? { config } : {}) }, requester);

/**
 * The execution whose events are sent from the beginning. An execution that does not exist yet, or that the reader may
 * not see, is awaited like any other event. Readers who may see an execution may see everything below it.
 */
async function rootOf(
  { executions: { records } }: StreamRouteDeps,
  { endsWith }: EventFilter,
  sight: EventSight,
): Promise<Id | undefined> {
  if (!endsWith) return undefined;
  const { id, view } = endsWith;
  if (view === 'execution' && sight.seesAll) return id;
  const record = view === 'liveaction' ? await records.getByLiveaction(id) : await records.get(id);
  return record && (await sight.maySeeExecution(record)) ? record._id : undefined;
}

/** Stands for the id of the newest execution. */
const LAST = 'last';

/** The execution with the requested output; the newest one is chosen among those that the reader may see. */
async function guardedOutput(deps: StreamRouteDeps, id: string, requester: Requester): Promise<Guarded | undefined> {
  if (id === LAST) return undefined;
  const [record] = await deps.executions.records.list({
    filter: { _id: id },
    fields: ['action_ref', 'context'],
    limit: 1,
  });
  const uid = toUid('execution', id);
  if (!record) return { uid };
  const { isolates } = sightOf(deps, requester);
  return { uid, parents: parentsOfExecution(record), ...(isolates ? { owner: String(record.context['user']) } : {}) };
}

async function streamEvents(
  deps: StreamRouteDeps & { readEvent: EventReader; reads: SharedReads; sight: EventSight },
  filter: EventFilter,
  root: Id | undefined,
  sink: EventSink,
): Promise<void> {
  const family = root === undefined ? undefined : familyStream(deps, root, filter, sink);
  const ended = deferred<void>();
  let lastIsSent = false;
  const listener = async (item: FeedItem) => {
    const kind = eventName(item);
    if (!filter.cares(kind)) return;
    try {
      if (await family?.takes(item)) return;
      const event = await deps.readEvent(item);
      // The last event may have been sent while this one was read.
      if (!event || lastIsSent || family?.isOver()) return;
      if (!(await deps.sight.maySee(item, event)) || lastIsSent || family?.isOver()) return;
      const name = filter.nameFor(event);
      if (name !== undefined) {
        const data = await eventData(event.body);
        if (Buffer.isBuffer(data)) await sink.roomFor(data.length);
        if (lastIsSent || family?.isOver()) return;
        sink.send({ event: name, data });
      }
      lastIsSent = filter.isLast(event);
      if (lastIsSent) ended.resolve();
    } catch (error) {
      // If one event fails, the reader must still get the others.
      deps.logger.warn('Failed to build an event.', { error: messageOf(error) });
    }
  };
  const leave = await deps.feed.listen(listener, () => {
    deps.logger.warn('Closing an event stream that has fallen too far behind.');
    ended.resolve();
  });
  sink.open();
  family?.start();
  await Promise.race([ended.promise, sink.closed, ...(family ? [family.ended] : [])]);
  leave();
  await family?.stop();
}

async function find({ executions }: StreamRouteDeps, id: string, sight: EventSight): Promise<ExecutionRecord> {
  if (id !== LAST) return executions.get(id);
  const filter = await sight.executions();
  const [newest] = await executions.records.list({ filter, sort: { start_timestamp: -1 }, limit: 1 });
  if (!newest) throw fault('general.invalid-value', { text: 'No executions found in the database' });
  return newest;
}

const ENDS_OUTPUT = (status: Status): boolean => isTerminal(status) || status === 'pausing' || status === 'resuming';

/**
 * Sends every chunk once, in order. Listening starts before the stored chunks are read, and the next chunk is always
 * read from the store by sequence number, so nothing is lost or sent twice.
 */
async function streamOutput(
  { reads, feed, clock, logger }: StreamRouteDeps & { reads: SharedReads },
  { _id: id }: ExecutionRecord,
  type: string,
  sink: EventSink,
): Promise<void> {
  let position = 0;
  let done: (error?: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (done = resolve));
  const sendNew = async () => {
    const record = await reads.record(id);
    if (!record) throw fault('execution.not-found', { id });
    for await (const chunk of readOutput(reads.output, id, { after: position })) {
      await sink.drained();
      if (sink.signal.aborted) return;
      position = chunk.sequence;
      if (wantsOutput(type, chunk.output_type))
        sink.send({ event: 'st2.execution.output__create', data: outputView(chunk) });
    }
    if (ENDS_OUTPUT(record.status)) done();
  };
  const look = createTask({ clock, run: sendNew, everyMs: LOOK_MS, onError: done });
  const leave = await feed.listen((item) => {
    if (idOf(item) === id) look.wake();
    return Promise.resolve();
  });
  sink.open();
  look.wake();
  const problem = await Promise.race([ended, sink.closed]);
  leave();
  await look.stop();
  if (problem) logger.warn('An output stream ended early.', { execution_id: id, error: problem });
  else sink.send({ event: 'EOF', data: "''" });
}

const idOf = ({ exchange, message }: FeedItem): string | undefined => {
  if (exchange === 'execution.output') return message.execution_id;
  return exchange === 'execution' ? message.id : undefined;
};
