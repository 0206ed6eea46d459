import { deferred, fault, newId } from '@switchyard/base';
import { openAccess, type Actor } from '@switchyard/identity';
import type { Bus } from '@switchyard/messaging';
import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { aChunk, anExecution, leakCheck, type TestSystem } from '@switchyard/testkit/system';
import type { ReadEvent } from './event-reader';
import { named, statuses, streamSystem, type StreamSystem, type StreamSystemOptions } from './stream-system';

const later = leakCheck();

async function started(options: StreamSystemOptions = {}): Promise<StreamSystem> {
  const own = await streamSystem(options);
  later(() => own.close());
  return own;
}

const UPDATE = 'st2.execution__update';
const OUTPUT = 'st2.execution.output__create';
/** The parameters that the reference's client sends when it follows an execution. */
const tail = (id: string, events = `${UPDATE},${OUTPUT}`) =>
  `/v1/stream?events=${events}&end_event=${UPDATE}&end_execution_id=${id}`;

/** Statuses, and the output between them. */
const told = (events: readonly ReadEvent[]) => events.map(({ body }) => body.status ?? body.data);

async function finish(system: TestSystem, id: string, ...printed: string[]): Promise<ExecutionRecord> {
  const run = await system.manual.runOf(id);
  for (const text of printed) await run.abilities.output('stdout', text);
  run.end({ result: { n: 1 } });
  return system.untilStatus(id, 'succeeded');
}

describe('a stream that ends with an execution', () => {
  it('sends all events of an execution that ended before it was opened', async () => {
    const { system, open } = await started();
    const { _id: id } = await system.request({ parameters: { pin: 'hidden-pin' } });
    await finish(system, id, 'MARK\n');
    const reader = await open(tail(id));
    const text = await reader.ended;
    expect(told(reader.events.items)).toEqual(['scheduled', 'running', 'MARK\n', 'succeeded']);
    expect(reader.events.items.at(-1)?.body).toMatchObject({ id, result: { n: 1 } });
    expect(text.startsWith('\n')).toBe(true);
    expect(text).not.toContain('hidden-pin');
  });

  it('sends by default what a reader from the beginning would have received', async () => {
    const { system, open } = await started();
    const early = await open('/stream');
    const { _id: id } = await system.request();
    await finish(system, id);
    const reader = await open(`/stream?end_event=${UPDATE}&end_execution_id=${id}`);
    await reader.ended;
    const names = reader.events.items.map(({ name, body }) => [name, body.status]);
    const live = await early.events.until(names.length);
    expect(names).toEqual(live.map(({ name, body }) => [name, body.status]));
    early.leave();
  });

  it('loses and repeats nothing when the execution ends between subscribing and reading', async () => {
    const reached = deferred();
    const go = deferred();
    const { system, open } = await started({
      seen: ({ store }) => ({ store: held(store, reached.resolve, go.promise) }),
    });
    const { _id: id } = await system.request();
    const run = await system.manual.runOf(id);
    await run.abilities.output('stdout', 'before ');
    const reader = await open(tail(id));
    await reached.promise;
    await finish(system, id, 'MARK\n');
    go.resolve();
    await reader.ended;
    expect(told(reader.events.items).join()).toMatch(/^scheduled,running,before ,?MARK\n,succeeded$/);
  });

  it('starts with earlier output, and continues with new output', async () => {
    const { system, open } = await started();
    const { _id: id } = await system.request();
    const run = await system.manual.runOf(id);
    const readers = [];
    let text = '';
    for (let i = 0; i < 200; i++) {
      if (i % 40 === 0) readers.push(await open(tail(id)));
      text += `line ${i}\n`;
      await run.abilities.output('stdout', `line ${i}\n`);
      if (i % 10 === 0) await new Promise(setImmediate);
    }
    run.end();
    for (const reader of readers) {
      await reader.ended;
      const data = named(reader.events.items, OUTPUT).map(({ body }) => body.data);
      expect(data.join('')).toBe(text);
      expect(statuses(named(reader.events.items, UPDATE))).toEqual(['scheduled', 'running', 'succeeded']);
      expect(told(reader.events.items).at(-1)).toBe('succeeded');
    }
  });

  it('has all the output although its messages arrive after that of the end', async () => {
    const go = deferred();
    const { system, open } = await started({ seen: ({ bus }) => ({ bus: slowOutput(bus, go.promise) }) });
    const { _id: id } = await system.request();
    const reader = await open(tail(id));
    await reader.events.until((seen) => statuses(seen).includes('running'));
    await finish(system, id, 'MARK\n');
    await reader.ended;
    go.resolve();
    expect(told(reader.events.items)).toEqual(['scheduled', 'running', 'MARK\n', 'succeeded']);
  });

  it('ends although every message was lost', async () => {
    const { system, open } = await started({ seen: ({ bus }) => ({ bus: deafBus(bus) }) });
    const { _id: id } = await system.request();
    await system.manual.runOf(id);
    const reader = await open(tail(id));
    await reader.events.until((seen) => statuses(seen).includes('running'));
    await finish(system, id, 'MARK\n');
    await reader.ended;
    expect(told(reader.events.items)).toEqual(['scheduled', 'running', 'MARK\n', 'succeeded']);
  });

  it('sends events of other executions as usual', async () => {
    const { system, open } = await started();
    const { _id: id } = await system.request();
    const reader = await open(tail(id));
    const { _id: other } = await system.request();
    await finish(system, other, 'other');
    await reader.events.until((seen) => seen.some(({ body }) => body.id === other && body.status === 'succeeded'));
    await finish(system, id, 'own');
    await reader.ended;
    const ofOther = reader.events.items.filter(({ body }) => (body['execution_id'] ?? body.id) === other);
    expect(told(ofOther).sort()).toEqual(['other', 'running', 'scheduled', 'succeeded']);
    const own = reader.events.items.filter(({ body }) => (body['execution_id'] ?? body.id) === id);
    expect(told(own)).toEqual(['scheduled', 'running', 'own', 'succeeded']);
  });

  it.each([
    ['nothing but output', (id: string) => tail(id, OUTPUT), ['MARK']],
    ['nothing but statuses', (id: string) => tail(id, UPDATE), ['scheduled', 'running', 'succeeded']],
    ['one execution', (id: string) => `${tail(id)}&execution_ids=${id}`, ['scheduled', 'running', 'MARK', 'succeeded']],
    ['another execution', (id: string) => `${tail(id)}&execution_ids=${newId()}`, []],
    ['another action', (id: string) => `${tail(id)}&action_refs=core.noop`, []],
    ['events selected by our own names', (id: string) => tail(id, 'svc.execution.output__*'), ['MARK']],
  ])('sends %s on request', async (_what, path, expected) => {
    const { system, open } = await started();
    const { _id: id } = await system.request();
    await finish(system, id, 'MARK');
    const reader = await open(path(id));
    await reader.ended;
    expect(told(reader.events.items)).toEqual(expected);
  });

  it('may end with a live action', async () => {
    const { system, open } = await started();
    const { _id: id, liveaction_id: liveaction } = await system.request();
    await finish(system, id);
    const event = 'st2.liveaction__update';
    const reader = await open(`/stream?events=${event}&end_event=${event}&end_execution_id=${liveaction}`);
    await reader.ended;
    expect(told(reader.events.items)).toEqual(['scheduled', 'running', 'succeeded']);
    expect(reader.events.items.every(({ name, body }) => name === event && body.id === liveaction)).toBe(true);
  });

  it.each([
    ['an execution', 'execution'],
    ['a live action', 'liveaction'],
  ])('stays open for %s that does not exist', async (_what, view) => {
    const { system, open } = await started();
    const reader = await open(`/stream?events=${UPDATE}&end_event=st2.${view}__update&end_execution_id=${newId()}`);
    const { _id: id } = await system.request();
    await finish(system, id);
    await reader.events.until((seen) => statuses(seen).includes('succeeded'));
    reader.leave();
  });

  it.each(['', '&end_event=', `&end_event=st2.announcement__x`])('sends nothing stored with "%s"', async (end) => {
    const { system, open } = await started();
    const { _id: id } = await system.request();
    await finish(system, id);
    const reader = await open(`/stream?events=${UPDATE}&end_execution_id=${id}${end}`);
    const { _id: other } = await system.request();
    await finish(system, other);
    const events = await reader.events.until((seen) => statuses(seen).includes('succeeded'));
    expect(events.every(({ body }) => body.id === other)).toBe(true);
    reader.leave();
  });

  it('leaves out executions that the reader may not see, and their output', async () => {
    let hidden = '';
    const authorise = ({ user }: Actor, permission: string, resource?: string) => {
      if (resource === `execution:${hidden}`) throw fault('auth.forbidden-resource', { user, permission, resource });
    };
    const { system, open } = await started({ access: { ...openAccess, enabled: true, authorise }, admits: 'bob' });
    hidden = (await system.request())._id;
    const run = await system.manual.runOf(hidden);
    await run.abilities.output('stdout', 'hidden-before');
    const reader = await open(tail(hidden));
    await run.abilities.output('stdout', 'hidden-after');
    run.end();
    await system.untilStatus(hidden, 'succeeded');
    const { _id: shown } = await system.request();
    await finish(system, shown);
    const events = await reader.events.until((seen) => statuses(seen).includes('succeeded'));
    expect(events.every(({ body }) => [body.id, body['execution_id']].includes(shown))).toBe(true);
    expect(JSON.stringify(events)).not.toContain('hidden');
    reader.leave();
  });

  it('ends when the reader may no longer see the execution', async () => {
    let isHidden = false;
    const authorise = ({ user }: Actor, permission: string, resource?: string) => {
      if (isHidden && resource?.startsWith('execution:'))
        throw fault('auth.forbidden-resource', { user, permission, resource });
    };
    const { system, open } = await started({ access: { ...openAccess, enabled: true, authorise }, admits: 'bob' });
    const { _id: id } = await system.request();
    const run = await system.manual.runOf(id);
    const reader = await open(tail(id));
    await reader.events.until((seen) => statuses(seen).includes('running'));
    isHidden = true;
    await run.abilities.output('stdout', 'hidden-after');
    await reader.ended;
    expect(told(reader.events.items)).toEqual(['scheduled', 'running']);
    run.end();
    await system.untilStatus(id, 'succeeded');
  });

  it('waits for a slow reader', async () => {
    const { system, open } = await started();
    const { _id: id } = await system.request();
    const data = 'x'.repeat(60_000);
    await system.platform.store.output.append(
      Array.from({ length: 250 }, (_, n) => aChunk({ execution_id: id, sequence: n + 1, data })),
    );
    await finish(system, id);
    for (const path of [tail(id), `/v1/executions/${id}/output`]) {
      const reader = await open(path);
      await reader.ended;
      expect(named(reader.events.items, OUTPUT)).toHaveLength(250);
    }
  });
});

describe('a stream that ends with a workflow', () => {
  const at = (second: number) => Math.round(second * 1_000_000);

  /** An execution as it is in the store; its log has a second for each status. */
  async function stored(
    { platform: { store } }: TestSystem,
    definition: string,
    given: Partial<ExecutionRecord> & { name: string; seconds: Record<string, number>; prints?: [number, string][] },
  ): Promise<string> {
    const { name, seconds, prints = [], ...fields } = given;
    const log = Object.entries(seconds).map(([status, second]) => ({ status, timestamp: at(second) }));
    const record = anExecution({
      definition,
      context: { user: 'ada', pack: 'tests', name },
      start_timestamp: log[0]!.timestamp,
      status: log.at(-1)!.status as ExecutionRecord['status'],
      revision: log.length,
      log: log as ExecutionRecord['log'],
      ...fields,
    });
    await store.executions.insert(record);
    await store.output.append(
      prints.map(([second, data], n) =>
        aChunk({ execution_id: record._id, sequence: n + 1, timestamp: at(second), data }),
      ),
    );
    return record._id;
  }

  const line = ({ body }: ReadEvent) =>
    body.data ?? `${(body['context'] as { name: string }).name} ${String(body.status)}`;

  it('sends all events below it in order of time, and its end last', async () => {
    const { system, open } = await started();
    const { definition } = await finish(system, (await system.request())._id);
    const own = (given: Parameters<typeof stored>[2]) => stored(system, definition, given);
    const root = await own({
      name: 'root',
      has_children: true,
      seconds: { requested: 1, running: 2, failed: 9 },
      prints: [
        [2.5, 'begins'],
        [7, 'inner ended'],
      ],
    });
    const inner = await own({
      name: 'inner',
      parent: root,
      has_children: true,
      seconds: { requested: 3, running: 3.5, succeeded: 6.5 },
    });
    const ran = { requested: 4, running: 4.5, succeeded: 6 };
    await own({ name: 'a', parent: inner, seconds: ran, prints: [[5, 'from a']] });
    await own({ name: 'b', parent: inner, seconds: { requested: 4.1, running: 4.6 }, prints: [[4.9, 'from b']] });
    // Clocks of hosts differ: this one ends after the workflow.
    await own({
      name: 'c',
      parent: root,
      seconds: { requested: 8, running: 8.5, succeeded: 10 },
      prints: [[9.5, 'from c']],
    });
    await own({ name: 'other', seconds: { requested: 5, succeeded: 6 }, prints: [[5, 'none of it']] });
    const reader = await open(tail(root));
    await reader.ended;
    expect(reader.events.items.map(line)).toEqual([
      'root running',
      'begins',
      'inner running',
      'a running',
      'b running',
      'from b',
      'from a',
      'a succeeded',
      'inner succeeded',
      'inner ended',
      'c running',
      'from c',
      'c succeeded',
      'root failed',
    ]);
    const [first, last] = [reader.events.items[0]!, reader.events.items.at(-1)!];
    expect(first.body).not.toHaveProperty('children');
    expect(last.body['children']).toHaveLength(2);
  });

  it('sends events of actions that are requested while it is read, also in nested workflows', async () => {
    const { system, open } = await started();
    const root = await system.request();
    const [outer, inner] = await Promise.all([system.manual.runOf(root._id), childOf(system, root._id)]);
    const reader = await open(tail(root._id));
    const leaf = await childOf(system, inner._id);
    await finish(system, leaf._id, 'from the leaf');
    await finish(system, inner._id, 'from within');
    await reader.events.until((seen) => told(seen).filter((each) => each === 'succeeded').length === 2);
    outer.end();
    await reader.ended;
    const of = (id: string) => told(reader.events.items.filter(({ body }) => (body['execution_id'] ?? body.id) === id));
    expect(of(leaf._id)).toEqual(['scheduled', 'running', 'from the leaf', 'succeeded']);
    expect(of(inner._id)).toEqual(['scheduled', 'running', 'from within', 'succeeded']);
    expect(told(reader.events.items).at(-1)).toBe('succeeded');
  });

  it('leaves out executions below a workflow of another user, unless the reader may see them', async () => {
    const mayView = (resource: string, parents: readonly string[]) =>
      resource === `execution:${root}` || parents.includes('action:tests:shown');
    const authorise = (
      { user }: Actor,
      permission: string,
      resource = 'execution:',
      parents: readonly string[] = [],
    ) => {
      if (permission === 'execution_view' && !mayView(resource, parents))
        throw fault('auth.forbidden-resource', { user, permission, resource });
    };
    const { system, open } = await started({ access: { ...openAccess, enabled: true, authorise }, admits: 'bob' });
    const { definition } = await finish(system, (await system.request())._id);
    const own = (given: Parameters<typeof stored>[2]) => stored(system, definition, given);
    const ran = { requested: 3, running: 4, succeeded: 6 };
    const workflow = { requested: 1, running: 2, succeeded: 9 };
    const root: string = await own({ name: 'root', has_children: true, seconds: workflow });
    await own({ name: 'shown', action_ref: 'tests.shown', parent: root, seconds: ran, prints: [[5, 'from shown']] });
    await own({ name: 'hidden', action_ref: 'tests.hidden', parent: root, seconds: ran, prints: [[5, 'hidden']] });
    const mine = { user: 'bob', pack: 'tests', name: 'mine' };
    await own({ name: 'mine', action_ref: 'tests.hidden', parent: root, seconds: ran, context: mine });
    const reader = await open(tail(root));
    await reader.ended;
    expect([...new Set(reader.events.items.map(line))].sort()).toEqual(
      ['from shown', 'mine running', 'mine succeeded', 'root running', 'root succeeded', 'shown running', 'shown succeeded'], // oxfmt-ignore
    );
  });

  const childOf = (system: TestSystem, parent: string) =>
    system.request({ context: { parent: { execution_id: parent } } });
});

/** A store whose first read of a single execution waits. */
function held(store: Store, reached: () => void, go: Promise<void>): Store {
  const get: Store['executions']['get'] = async (id) => {
    reached();
    await go;
    return store.executions.get(id);
  };
  return { ...store, executions: { ...store.executions, get } };
}

/** A bus that delays messages about output, although they came first. */
const slowOutput = (bus: Bus, go: Promise<void>): Bus => ({
  ...bus,
  consume: (queue, options, handle) =>
    bus.consume(queue, options, async (message, delivery) => {
      if (options.name.includes('output')) await go;
      return handle(message, delivery);
    }),
});

const deafBus = (bus: Bus): Bus => ({
  ...bus,
  consume: (queue, options) => bus.consume(queue, options, async () => undefined),
});
