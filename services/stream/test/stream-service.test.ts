import { announcement, embeddedBus, recordChange } from '@switchyard/messaging';
import { deferred, newId } from '@switchyard/base';
import { checkAlias } from '@switchyard/model';
import { aChunk, eventually, gathered, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createMessageFeed } from '../src';
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
  it('tells of each status, in order, of executions and live actions', async () => {
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

  it('shows a slow reader each status as it was', async () => {
    const { system, open } = await started();
    const reader = await open('/stream?events=st2.execution__*');
    // The service's own reads come late: the record has long ended when the first message is looked at.
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

  it('ends with the event asked for', async () => {
    const { system, open } = await started();
    const record = await system.request();
    const other = await system.request();
    const reader = await open(`/stream?end_event=st2.execution__update&end_execution_id=${record._id}`);
    (await system.manual.runOf(other._id)).end();
    await system.untilStatus(other._id, 'succeeded');
    (await system.manual.runOf(record._id)).end();
    const text = await reader.ended;
    expect(text.startsWith('\n')).toBe(true);
    expect(reader.events.items.at(-1)?.body).toMatchObject({ id: record._id, status: 'succeeded' });
  });

  it('carries announcements and, when asked, output', async () => {
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

  it('tells of changes of aliases when asked, without their secrets', async () => {
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

  it('goes on when one event cannot be made', async () => {
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

  it('watches the bus while somebody reads, and not otherwise', async () => {
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
      () => 'nobody to watch',
    );
  });

  it('serves whoever comes while the last one leaves', async () => {
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
      () => 'nobody to watch',
    );
  });

  it('ends when the service stops', async () => {
    const { open, service, consumers } = await started();
    const readers = [await open('/stream'), await open('/stream')];
    await service.stop();
    await Promise.all(readers.map(({ ended }) => ended));
    await eventually(
      () => consumers() === 0,
      () => 'nobody to watch',
    );
  });
});

describe('a feed', () => {
  it('hears of a listener that fails without being stopped by it', async () => {
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

  it('watches anew for whoever listens at the moment that the last one leaves', async () => {
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

  it('comes whole and once, whenever one begins to read', async () => {
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

  it('of the newest execution can be had as "last"', async () => {
    const { system, open } = await started();
    await runOne(system);
    const record = await runOne(system);
    await system.platform.store.output.append([aChunk({ execution_id: record._id, sequence: 1, data: 'newest' })]);
    const reader = await open('/executions/last/output');
    await reader.ended;
    expect(data(reader.events.items)).toBe('newest');
  });

  it('of nothing is refused', async () => {
    const { open } = await started();
    await expect(open(`/executions/${newId()}/output`)).rejects.toThrow('404');
    await expect(open('/executions/last/output')).rejects.toThrow('400');
  });

  it('is no longer waited for when the service stops while the broker is away', async () => {
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

  it('is no longer looked for when its reader has gone', async () => {
    const { system, open, consumers } = await started();
    const record = await system.request();
    const reader = await open(`/executions/${record._id}/output`);
    expect(consumers()).toBe(4);
    reader.leave();
    await eventually(
      () => consumers() === 0,
      () => 'nobody to watch',
    );
    (await system.manual.runOf(record._id)).end();
    await system.untilStatus(record._id);
  });
});
