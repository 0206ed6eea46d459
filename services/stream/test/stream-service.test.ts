import { announcement, embeddedBus, recordChange, type AnnouncementMessage, type Bus } from '@switchyard/messaging';
import { deferred, newId } from '@switchyard/base';
import { checkAlias } from '@switchyard/model';
import {
  aChunk,
  anExecution,
  eventually,
  gathered,
  leakCheck,
  startSystem,
  type TestSystem,
} from '@switchyard/testkit/system';
import type { EventSink } from '@switchyard/http';
import { createMessageFeed, streamRoutes } from '../src';
import { eventData } from '../src/event-data';
import type { ReadEvent } from './event-reader';
import { named, statuses, streamSystem, type StreamSystem, type StreamSystemOptions } from './stream-system';

const later = leakCheck();

async function started(options: StreamSystemOptions = {}): Promise<StreamSystem> {
  const own = await streamSystem(options);
  later(() => own.close());
  return own;
}

const hasEnded = (events: readonly ReadEvent[]) =>
  statuses(named(events, 'st2.execution__update')).includes('succeeded') &&
  statuses(named(events, 'st2.liveaction__update')).includes('succeeded');

async function runOne(system: TestSystem, request = {}) {
  const record = await system.request(request);
  (await system.manual.runOf(record._id)).end({ result: { n: 1 } });
  return system.untilStatus(record._id, 'succeeded');
}

describe('the stream', () => {
  it('sends each status of executions and live actions, in order', async () => {
    const { system, open } = await started();
    const reader = await open('/v1/stream');
    const record = await runOne(system, { parameters: { pin: 'hidden-pin' } });
    const events = await reader.events.until(hasEnded);
    expect(statuses(named(events, 'st2.execution__create'))).toEqual(['requested']);
    expect(statuses(named(events, 'st2.execution__update'))).toEqual(['scheduled', 'running', 'succeeded']);
    expect(statuses(named(events, 'st2.liveaction__update'))).toEqual(['scheduled', 'running', 'succeeded']);
    const last = named(events, 'st2.execution__update').at(-1)!;
    expect(last.body).toMatchObject({ id: record._id, result: { n: 1 }, liveaction: { id: record.liveaction_id } });
    expect(JSON.stringify(events)).not.toContain('hidden-pin');
    reader.leave();
  });

  it.each(['/stream', '/stream/v1/stream', '/stream/stream', '/api/stream', '/api/v1/stream'])(
    'is at %s as well',
    async (path) => {
      const { system, open } = await started();
      const reader = await open(`${path}?events=st2.execution__create`);
      await runOne(system);
      expect(statuses(await reader.events.until((seen) => seen.length > 0))).toEqual(['requested']);
      reader.leave();
    },
  );

  it('shows a slow reader each status as it was', async () => {
    const { system, open } = await started();
    const reader = await open('/stream?events=st2.execution__*');
    // The service reads late: the record has long ended when it handles the first message.
    const { store } = system.platform;
    const { get } = store.executions;
    const held: (() => void)[] = [];
    let isHeld = true;
    const record = await system.request();
    store.executions.get = async (id) => {
      if (isHeld && new Error().stack?.includes('stream-events')) await new Promise<void>((go) => held.push(go));
      return get(id);
    };
    (await system.manual.runOf(record._id)).end({ result: { n: 1 } });
    await eventually(
      async () => (await get(record._id))?.status === 'succeeded',
      () => 'its end',
    );
    isHeld = false;
    held.forEach((go) => go());
    const events = await reader.events.until((seen) => statuses(seen).includes('succeeded'));
    expect(statuses(events)).toEqual(['requested', 'scheduled', 'running', 'succeeded']);
    const lengths = events.map(({ body }) => (body['log'] as unknown[]).length);
    expect(lengths).toEqual([1, 2, 3, 4]);
    expect(events.filter(({ body }) => 'result' in body || 'end_timestamp' in body)).toHaveLength(1);
    reader.leave();
  });

  it('ends with the requested event', async () => {
    const { system, open } = await started();
    const record = await system.request();
    const other = await system.request();
    const reader = await open(`/stream?end_event=st2.execution__update&end_execution_id=${record._id}`);
    // The messages of both ends are in transit at the same time.
    const runs = [await system.manual.runOf(other._id), await system.manual.runOf(record._id)];
    for (const run of runs) run.end();
    const text = await reader.ended;
    expect(text.startsWith('\n')).toBe(true);
    expect(reader.events.items.at(-1)?.body).toMatchObject({ id: record._id, status: 'succeeded' });
  });

  it('sends the events of all executions in one message before those of later messages', async () => {
    const { system, open } = await started();
    const reader = await open('/stream?events=st2.execution__update');
    const { store } = system.platform;
    const put = async () => (await store.executions.insert(anExecution({ action_ref: 'tests.none' }))).record;
    const many = await Promise.all(Array.from({ length: 120 }, put));
    const last = await put();
    await system.executions.cancelWaiting(many, 'ada');
    await system.executions.cancel(last._id, 'ada');
    const events = await reader.events.until((seen) => seen.some(({ body }) => body['id'] === last._id));
    expect(statuses(events)).toEqual(Array.from({ length: 121 }, () => 'canceled'));
    expect(events.map(({ body }) => body['id'])).toEqual([...many, last].map(({ _id }) => _id));
    reader.leave();
  });

  it('sends a large result to every reader, those of single executions included', async () => {
    const { system, open } = await started();
    const record = await system.request();
    const readers = await Promise.all([
      open('/stream?events=st2.execution__update'),
      open('/stream?events=st2.execution__update,st2.liveaction__update'),
      open(`/stream?end_execution_id=${record._id}`),
    ]);
    const result = { texts: Array.from({ length: 3000 }, (_, index) => `${index} ${'größer\n'.repeat(10)}`) };
    (await system.manual.runOf(record._id)).end({ result });
    // Live actions that have not ended have an empty result.
    const hasResult = ({ body }: { body: Record<string, unknown> }) =>
      (body['result'] as Partial<typeof result> | undefined)?.texts !== undefined;
    for (const reader of readers) {
      const events = await reader.events.until((seen) => seen.some(hasResult));
      expect(events.find(hasResult)?.body['result']).toEqual(result);
      reader.leave();
    }
    const view = await system.executions.view.execution(await system.executions.get(record._id));
    const [first, second] = await Promise.all([eventData(view), eventData(view)]);
    expect(first).toBeInstanceOf(Buffer);
    expect(second).toBe(first);
    expect(JSON.parse((first as Buffer).toString())).toEqual(view);
  });

  it('sends nothing after the last event, not even records that were being read', async () => {
    const { system } = await started();
    const { store, bus, clock, logger } = system.platform;
    const [record, other] = [await system.request(), await system.request()];
    const runs = [await system.manual.runOf(other._id), await system.manual.runOf(record._id)];
    const [isRead, mayGoOn] = [deferred(), deferred()];
    const records: typeof store.executions = Object.assign(Object.create(store.executions), {
      async get(id: string) {
        const found = await store.executions.get(id);
        if (id === other._id && found?.status === 'succeeded') {
          isRead.resolve();
          await mayGoOn.promise;
        }
        return found;
      },
    });
    const feed = createMessageFeed(bus);
    later(() => feed.stop());
    const deps = { store, executions: { ...system.executions, records }, feed, clock, logger };
    const sent: { id: string; status: string }[] = [];
    const [left, opened] = [new AbortController(), deferred()];
    const sink: EventSink = {
      send({ data }) {
        sent.push(data as { id: string; status: string });
        if (sent.at(-1)!.id === record._id && sent.at(-1)!.status === 'succeeded') mayGoOn.resolve();
        return true;
      },
      open: opened.resolve,
      drained: async () => undefined,
      roomFor: async () => undefined,
      signal: left.signal,
      closed: new Promise(() => undefined),
    };
    const query = { end_event: 'st2.execution__update', end_execution_id: record._id };
    const [events] = streamRoutes(deps);
    const { stream } = (await events!.handle({ query, requester: { user: 'ada' } } as never)) as {
      stream: (sink: EventSink) => Promise<void>;
    };
    const ended = stream(sink);
    await opened.promise;
    runs[0]!.end();
    await isRead.promise;
    runs[1]!.end();
    await ended;
    await feed.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent.at(-1)).toMatchObject({ id: record._id, status: 'succeeded' });
  });

  it('carries announcements and, on request, output', async () => {
    const { system, open } = await started();
    const reader = await open('/stream?events=st2.announcement__chat,st2.execution.output__create');
    const { bus } = system.platform;
    await bus.publisher().publish(announcement({ route: 'mail', payload: { no: 1 } }));
    await bus.publisher().publish(announcement({ route: 'chat', payload: { text: 'hi' } }));
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    await run.abilities.output('stdout', 'printed');
    run.end();
    const events = await reader.events.until(2);
    expect(named(events, 'st2.announcement__chat')[0]?.body).toMatchObject({ payload: { text: 'hi' } });
    expect(named(events, 'st2.execution.output__create')[0]?.body).toMatchObject({
      data: 'printed',
      execution_id: record._id,
      output_type: 'stdout',
    });
    await system.untilStatus(record._id);
    reader.leave();
  });

  it('sends changes of aliases on request, without their secrets', async () => {
    const { system, open } = await started();
    const reader = await open('/stream?events=st2.actionalias__*');
    const { store, bus } = system.platform;
    const { ref: action } = (await store.actions.list())[0]!;
    const given = { name: 'say', pack: 'tests', action_ref: action, formats: ['say'] };
    const alias = { _id: newId(), ...checkAlias({ ...given, immutable_parameters: { pin: 'hidden-pin', n: 1 } }) };
    await store.actionAliases.insert(alias);
    const { _id: id, ref } = alias;
    for (const change of ['create', 'delete'] as const)
      await bus.publisher().publish(recordChange({ record: 'actionalias', change, id, ref }));
    const events = await reader.events.until(2);
    expect(events.map(({ name }) => name)).toEqual(['st2.actionalias__create', 'st2.actionalias__delete']);
    expect(events[0]!.body).toMatchObject({ ...given, id, immutable_parameters: { pin: '********', n: 1 } });
    expect(events[1]!.body).toEqual({ id, ref });
    reader.leave();
  });

  it('reads the record of a message once for all its readers', async () => {
    const { system, open } = await started();
    const { store } = system.platform;
    const { get } = store.executions;
    let reads = 0;
    store.executions.get = (id) => {
      if (new Error().stack?.includes('stream-events')) reads++;
      return get(id);
    };
    const readers = [await open('/stream'), await open('/stream'), await open('/stream')];
    await runOne(system);
    for (const reader of readers) {
      const events = await reader.events.until(hasEnded);
      expect(events.filter(({ name }) => name.startsWith('st2.execution__'))).toHaveLength(4);
      expect(events.filter(({ name }) => name.startsWith('st2.liveaction__'))).toHaveLength(4);
      reader.leave();
    }
    // Requested, scheduled, running, succeeded: each is an event of the execution and one of its live action.
    expect(reads).toBe(4);
  });

  it('continues when one event cannot be built', async () => {
    const { system, open } = await started();
    const reader = await open('/stream?events=st2.execution__*');
    const { store } = system.platform;
    const { get } = store.executions;
    let failures = 0;
    store.executions.get = async (id) => {
      if (failures === 0 && new Error().stack?.includes('stream-events')) {
        failures++;
        throw new Error('once');
      }
      return get(id);
    };
    await runOne(system);
    const events = await reader.events.until((seen) => statuses(seen).includes('succeeded'));
    expect(statuses(events)).toEqual(['scheduled', 'running', 'succeeded']);
    reader.leave();
  });

  it('watches the bus only while it has readers', async () => {
    const { system, open, consumers } = await started();
    expect(consumers()).toBe(0);
    const readers = [await open('/stream'), await open('/stream')];
    expect(consumers()).toBe(4);
    readers[0]!.leave();
    await runOne(system);
    await readers[1]!.events.until(hasEnded);
    readers[1]!.leave();
    await eventually(
      () => consumers() === 0,
      () => 'the end of watching',
    );
  });

  it('serves a reader that connects while the last one leaves', async () => {
    const { system, open, consumers } = await started();
    for (let i = 0; i < 5; i++) {
      const first = await open('/stream');
      first.leave();
      const second = await open('/stream');
      await runOne(system);
      await second.events.until(hasEnded);
      second.leave();
    }
    await eventually(
      () => consumers() === 0,
      () => 'the end of watching',
    );
  });

  it('ends when the service stops', async () => {
    const { open, service, consumers } = await started();
    const readers = [await open('/stream'), await open('/stream')];
    await service.stop();
    await Promise.all(readers.map(({ ended }) => ended));
    await eventually(
      () => consumers() === 0,
      () => 'the end of watching',
    );
  });
});

describe('a feed', () => {
  it('survives and reports a listener that fails', async () => {
    const system = await startSystem({ runners: [], schedulers: 0, notifiers: 0 });
    later(() => system.close());
    const feed = createMessageFeed(system.platform.bus);
    later(() => feed.stop());
    const heard: string[] = [];
    await feed.listen(() => Promise.reject(new Error('mine')));
    const leave = await feed.listen(async ({ exchange }) => void heard.push(exchange));
    for (let i = 1; i < 4; i++) {
      await system.platform.bus.publisher().publish(announcement({ route: 'x', payload: null }));
      await eventually(
        () => heard.length === i,
        () => `message ${i}`,
      );
    }
    leave();
    leave();
  });

  it('does not let a listener that never finishes delay another', async () => {
    const system = await startSystem({ runners: [], schedulers: 0, notifiers: 0 });
    later(() => system.close());
    const { bus } = system.platform;
    const feed = createMessageFeed(bus);
    later(() => feed.stop());
    const [stuck, free] = [gathered<unknown>(), gathered<unknown>()];
    await feed.listen((item) => {
      stuck.add(item);
      return new Promise(() => undefined);
    });
    await feed.listen(async ({ message }) => free.add((message as AnnouncementMessage).route));
    // More than the broker delivers before the first is acknowledged.
    const routes = Array.from({ length: 250 }, (_, i) => `r${i}`);
    for (const route of routes) await bus.publisher().publish(announcement({ route, payload: null }));
    expect(await free.until(routes.length)).toEqual(routes);
    expect(stuck.items).toHaveLength(1);
  });

  it('removes a listener that has fallen too far behind', async () => {
    const handlers: ((message: unknown) => Promise<void>)[] = [];
    const consume = (_queue: unknown, _options: unknown, handle: (message: unknown) => Promise<void>) => {
      handlers.push(handle);
      return Promise.resolve({ stop: () => Promise.resolve() });
    };
    const feed = createMessageFeed({ consume } as unknown as Bus);
    const overrun = deferred();
    await feed.listen(() => new Promise(() => undefined), overrun.resolve);
    const heard: unknown[] = [];
    await feed.listen(async (item) => void heard.push(item));
    for (let i = 0; i <= 10_000; i++) await handlers[2]!(announcement({ route: 'x', payload: null }).body);
    await overrun.promise;
    expect(heard).toHaveLength(10_001);
    await feed.stop();
  });

  it('watches again for a listener that arrives just as the last one leaves', async () => {
    const system = await startSystem({ runners: [], schedulers: 0, notifiers: 0 });
    later(() => system.close());
    const feed = createMessageFeed(system.platform.bus);
    later(() => feed.stop());
    for (let i = 0; i < 5; i++) {
      const heard = gathered<string>();
      const leaveFirst = await feed.listen(async () => undefined);
      leaveFirst();
      const leave = await feed.listen(async ({ exchange }) => heard.add(exchange));
      await system.platform.bus.publisher().publish(announcement({ route: 'x', payload: null }));
      expect(await heard.until(1)).toEqual(['announcement']);
      leave();
    }
  });

  it('can be listened to after watching has failed once', async () => {
    const system = await startSystem({ runners: [], schedulers: 0, notifiers: 0 });
    later(() => system.close());
    const { bus } = system.platform;
    let failures = 0;
    const feed = createMessageFeed({
      ...bus,
      consume: (...given) => (failures++ < 1 ? Promise.reject(new Error('no broker')) : bus.consume(...given)),
    });
    later(() => feed.stop());
    await expect(feed.listen(async () => undefined)).rejects.toThrow('no broker');
    const leave = await feed.listen(async () => undefined);
    leave();
  });
});

describe('the output of an execution', () => {
  const data = (events: readonly ReadEvent[]) =>
    named(events, 'st2.execution.output__create')
      .map(({ body }) => body.data)
      .join('');

  it('is complete and without duplicates, whenever a reader starts', async () => {
    const { system, open } = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    const readers = [];
    let text = '';
    for (let i = 0; i < 300; i++) {
      if (i % 60 === 0) readers.push(await open(`/v1/executions/${record._id}/output`));
      text += `line ${i}\n`;
      await run.abilities.output(i % 7 === 0 ? 'stderr' : 'stdout', `line ${i}\n`);
      if (i % 10 === 0) await new Promise(setImmediate);
    }
    run.end();
    await system.untilStatus(record._id, 'succeeded');
    readers.push(await open(`/v1/executions/${record._id}/output`));
    for (const reader of readers) {
      const whole = await reader.ended;
      expect(data(reader.events.items)).toBe(text);
      expect(whole.endsWith("event: EOF\ndata: ''\n\n")).toBe(true);
      expect(reader.events.items.filter(({ name }) => name === 'EOF')).toHaveLength(1);
    }
  });

  it.each([
    ['stdout', 'o'],
    ['stderr', 'e'],
    ['other', 'x'],
    ['all', 'oex'],
    ['log', ''],
  ])('of type %s is %p', async (type, text) => {
    const { system, open } = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    for (const [name, chunk] of [
      ['stdout', 'o'],
      ['stderr', 'e'],
      ['output', 'x'],
    ] as const)
      await run.abilities.output(name, chunk);
    run.end();
    await system.untilStatus(record._id);
    const reader = await open(`/executions/${record._id}/output?output_type=${type}`);
    await reader.ended;
    expect(data(reader.events.items)).toBe(text);
  });

  it('of the newest execution is available as "last"', async () => {
    const { system, open } = await started();
    await runOne(system);
    const record = await runOne(system);
    await system.platform.store.output.append([aChunk({ execution_id: record._id, sequence: 1, data: 'newest' })]);
    const reader = await open('/executions/last/output');
    await reader.ended;
    expect(data(reader.events.items)).toBe('newest');
  });

  it('of an unknown execution is refused', async () => {
    const { open } = await started();
    await expect(open(`/executions/${newId()}/output`)).rejects.toThrow('404');
    await expect(open('/executions/last/output')).rejects.toThrow('400');
  });

  it('ends when the service stops while the broker is unavailable', async () => {
    const go = deferred();
    const connect = () => go.promise.then(() => Promise.reject(new Error('nobody home')));
    const { logger } = (await started()).system.platform;
    const bus = embeddedBus({ prefix: 'away', logger, broker: { connect } });
    const feed = createMessageFeed(bus);
    const leave = await Promise.all([feed.listen(async () => undefined), feed.stop()]);
    expect(leave).toHaveLength(2);
    go.resolve();
    await bus.close();
  });

  it('is no longer read after its reader has disconnected', async () => {
    const { system, open, consumers } = await started();
    const record = await system.request();
    const reader = await open(`/executions/${record._id}/output`);
    expect(consumers()).toBe(4);
    reader.leave();
    await eventually(
      () => consumers() === 0,
      () => 'the end of watching',
    );
    (await system.manual.runOf(record._id)).end();
    await system.untilStatus(record._id);
  });
});
