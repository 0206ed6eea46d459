import { readOutput } from '@switchyard/executions';
import { tokenHash } from '@switchyard/identity';
import { executionStatus } from '@switchyard/messaging';
import type { ActionRecord } from '@switchyard/model';
import {
  eventually,
  leakCheck,
  manualRunner,
  startSystem,
  testClock,
  type SystemOptions,
  type TestSystem,
} from '@switchyard/testkit/system';

const later = leakCheck();

async function started(options: SystemOptions = {}, action: Partial<ActionRecord> = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register(action);
  return system;
}

const shell = (more: Partial<ActionRecord> = {}): Partial<ActionRecord> => ({
  name: 'shell',
  runner_type: 'local-shell-cmd',
  ...more,
});
const command = (cmd: string, more = {}) => ({ action: 'tests.shell', parameters: { cmd, ...more } });

const outputOf = async ({ platform }: TestSystem, id: string) => {
  const chunks: [string, string][] = [];
  for await (const { output_type: type, data } of readOutput(platform.store.output, id)) chunks.push([type, data]);
  return chunks;
};

describe('an execution', () => {
  it('runs with its final parameters, context and definition', async () => {
    const parameters = {
      name: { type: 'string', default: 'world' },
      text: { type: 'string', default: 'hi {{ name }}' },
    };
    const system = await started({}, { parameters });
    const record = await system.request({ parameters: { name: 'you' }, context: { more: 1 } });
    const run = await system.manual.runOf(record._id);
    expect(run.request).toMatchObject({
      executionId: record._id,
      liveactionId: record.liveaction_id,
      actionParameters: { name: 'you', text: 'hi you' },
      context: { user: 'ada', more: 1 },
      action: { ref: 'tests.action', pack: 'tests' },
    });
    const running = await system.untilStatus(record._id, 'running');
    expect(running.claim).toMatchObject({ number: 2, pid: process.pid });
    expect(running.runner_info?.pid).toBe(process.pid);
    run.end({ result: { n: 1 }, context: { seen: true } });
    const ended = await system.untilStatus(record._id);
    expect(ended.context).toMatchObject({ user: 'ada', more: 1, seen: true });
    expect(await system.executions.results.load(ended, true)).toEqual({ n: 1 });
    for (const gone of ['claim', 'process', 'slot', 'due']) expect(ended).not.toHaveProperty(gone);
  });

  it.each(['succeeded', 'failed', 'timeout', 'abandoned'] as const)(
    'ends with the status that its runner returns: %s',
    async (status) => {
      const system = await started();
      const record = await system.request();
      (await system.manual.runOf(record._id)).end({ status, result: { text: status } });
      const ended = await system.untilStatus(record._id);
      expect(ended.status).toBe(status);
      expect(ended.end_timestamp).toBeGreaterThan(ended.start_timestamp);
    },
  );

  it('is run once when two runners get it at the same time', async () => {
    const system = await started({ runners: [{ slots: 30 }, { slots: 30 }], schedulers: 0 });
    const { bus } = system.platform;
    for (let i = 0; i < 20; i++) {
      const record = await system.request();
      const scheduled = (await system.executions.transition(record, 'scheduled', { due: ['action-runner'] }))!;
      const message = executionStatus({
        id: scheduled._id,
        ref: scheduled.action_ref,
        status: 'scheduled',
        revision: 2,
        trace: null,
      });
      await bus.publisher().publishAll([message, message, message]);
    }
    const runs = await system.manual.runs.until(20);
    runs.forEach((run) => run.end());
    for (const run of runs) await system.untilStatus(run.request.executionId, 'succeeded');
    expect(new Set(system.manual.runs.items.map(({ request }) => request.executionId)).size).toBe(20);
    expect(system.manual.runs.items).toHaveLength(20);
  });

  it('fails with the reason when it cannot be prepared', async () => {
    const system = await started();
    const { parameters } = system.executions;
    parameters.finish = () => Promise.reject(new Error('the datastore is down'));
    const ended = await system.run();
    expect(ended.status).toBe('failed');
    expect(await system.executions.results.load(ended, true)).toEqual({ error: 'the datastore is down' });
    expect(system.manual.runs.items).toEqual([]);
  });

  it('fails with the name of the runner if this process does not have it', async () => {
    const system = await started();
    await system.register({ name: 'other', runner_type: 'elsewhere' }, { name: 'elsewhere' });
    const record = await system.run({ action: 'tests.other' });
    expect(record.status).toBe('failed');
    expect((await system.executions.results.load(record, true))?.['error']).toContain(
      'RunnerType elsewhere is not found',
    );
  });
});

describe('a command', () => {
  it('has its output stored as it arrives, before it has ended', async () => {
    const system = await started({}, shell());
    const record = await system.run(command('echo out; sleep 0.1; echo err >&2; sleep 0.1; echo again'));
    expect(await outputOf(system, record._id)).toEqual([
      ['stdout', 'out\n'],
      ['stderr', 'err\n'],
      ['stdout', 'again\n'],
    ]);
    expect(await system.executions.results.load(record, true)).toMatchObject({
      stdout: 'out\nagain',
      stderr: 'err',
      return_code: 0,
    });
  });

  it('has no output stored when that is disabled', async () => {
    const system = await started({ settings: { streamOutput: false } }, shell());
    const record = await system.run(command('echo out'));
    expect(record.status).toBe('succeeded');
    expect(await outputOf(system, record._id)).toEqual([]);
  });

  it('has its output stored in larger pieces when a buffer is configured', async () => {
    const system = await started({ settings: { outputBufferBytes: 12 } }, shell());
    const record = await system.run(
      command('echo one; sleep 0.2; echo two; sleep 0.2; echo three; sleep 0.2; echo end'),
    );
    expect(await outputOf(system, record._id)).toEqual([
      ['stdout', 'one\ntwo\nthree\n'],
      ['stdout', 'end\n'],
    ]);
  });

  it('prints a large output without losing anything', async () => {
    const system = await started({}, shell());
    const record = await system.run(command('seq 1 200000'));
    const text = (await outputOf(system, record._id)).map(([, data]) => data).join('');
    const expected = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join('');
    expect(text === expected).toBe(true);
    expect(record.result_blob).toBeDefined();
    const loaded = await system.executions.results.load(record, true);
    expect(loaded?.['stdout'] === expected.trimEnd()).toBe(true);
  });

  it.each<[string, string, object, string, object]>([
    ['fails with its exit code', 'echo no >&2; exit 3', {}, 'failed', { return_code: 3, stderr: 'no', failed: true }],
    ['fails when the command does not exist', 'no-such-command-here', {}, 'failed', { return_code: 127 }],
    [
      'times out',
      'sleep 60',
      { timeout: 1 },
      'timeout',
      { failed: true, error: expect.stringMatching(/Action failed to complete in 1 sec/) },
    ],
    [
      'has the expected environment variables',
      'echo $ST2_ACTION_PACK_NAME-$SVC_ACTION_API_URL',
      {},
      'succeeded',
      { stdout: 'tests-http://127.0.0.1:9101/v1' },
    ],
  ])('%s', async (_, cmd, parameters, status, result) => {
    const system = await started({}, shell());
    const record = await system.run(command(cmd, parameters));
    expect(record.status).toBe(status);
    expect(await system.executions.results.load(record, true)).toMatchObject(result);
  });

  it('has a token only while it runs', async () => {
    const system = await started({}, shell());
    const record = await system.run(command('echo $ST2_ACTION_AUTH_TOKEN'));
    const token = String((await system.executions.results.load(record, true))?.['stdout']);
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(await system.identities.tokens.isValid(token)).toBe(false);
    expect(await system.identities.tokens.find(token)).toBeUndefined();
  });

  it.each([
    ['before it begins', false],
    ['once it has lasted for a moment, if it rarely calls the API', true],
  ])('has its token stored %s', async (_, rarelyCallsApi) => {
    const plugin = { ...manualRunner({ name: 'held' }), startsProcess: true, rarelyCallsApi };
    const clock = testClock();
    const system = await started({ plugins: [plugin], runners: [{ clock }] }, { name: 'held', runner_type: 'held' });
    const { tokens } = system.platform.store;
    clock.freeze();
    const record = await system.request({ action: 'tests.held' });
    const run = await plugin.runOf(record._id);
    const hash = tokenHash(run.request.environment['ST2_ACTION_AUTH_TOKEN']!);
    expect((await tokens.byHash(hash)) === undefined).toBe(rarelyCallsApi);
    clock.thaw();
    await eventually(
      () => tokens.byHash(hash),
      () => 'the record of the token',
    );
    run.end();
    await system.untilStatus(record._id, 'succeeded');
    expect(await tokens.byHash(hash)).toBeUndefined();
  });

  it('fails if the store refuses its token, which does not work then', async () => {
    const plugin = { ...manualRunner({ name: 'held' }), startsProcess: true };
    const system = await started({ plugins: [plugin] }, { name: 'held', runner_type: 'held' });
    const { tokens } = system.identities;
    const issue = tokens.issueForRun;
    const issued: string[] = [];
    Object.assign(tokens, {
      issueForRun: async (...request: Parameters<typeof issue>) => {
        const token = await issue(...request);
        issued.push(token.token);
        return token;
      },
    });
    Object.assign(system.platform.store.tokens, { insert: () => Promise.reject(new Error('The store refuses it.')) });
    const record = await system.run({ action: 'tests.held' });
    expect(await system.executions.results.load(record, true)).toMatchObject({ error: 'The store refuses it.' });
    expect([record.status, issued.length, await tokens.isValid(issued[0]!)]).toEqual(['failed', 1, false]);
  });

  it('can use its token while it runs', async () => {
    const seen: boolean[] = [];
    const system = await started({}, shell());
    const record = await system.request(command('echo $ST2_ACTION_AUTH_TOKEN; sleep 60'));
    const { store } = system.platform;
    const token = await eventually(
      async () => (await store.output.read(record._id))[0]?.data.trim(),
      () => 'the token',
    );
    seen.push(await system.identities.tokens.isValid(token));
    // Other processes read it from the store.
    await eventually(
      () => store.tokens.byHash(tokenHash(token)),
      () => 'the record of the token',
    );
    await system.executions.cancel(record._id, 'ada');
    await system.untilStatus(record._id, 'canceled');
    seen.push(await system.identities.tokens.isValid(token));
    expect(seen).toEqual([true, false]);
  });

  it('does not get the secrets of the service, and its own parameter secrets are never stored', async () => {
    const secret = 'correct-horse-battery';
    const system = await started(
      {},
      shell({
        parameters: {
          pin: { type: 'string', secret: true },
          cmd: { default: 'echo {{ pin }} | wc -c', immutable: true },
        },
      }),
    );
    const record = await system.run({ action: 'tests.shell', parameters: { pin: secret } });
    expect(await system.executions.results.load(record, true)).toMatchObject({ stdout: secret.length + 1 });
    expect(JSON.stringify(await system.executions.get(record._id))).not.toContain(secret);
    expect(system.platform.log.join('\n')).not.toContain(secret);
  });
});

it('has secrets in its result masked by the output schema', async () => {
  const output_schema = { type: 'object', properties: { key: { type: 'string', secret: true } } };
  const system = await started({}, { output_schema });
  const record = await system.request();
  (await system.manual.runOf(record._id)).end({ result: { output: { key: 'hidden-key', other: 1 } } });
  const ended = await system.untilStatus(record._id);
  expect(JSON.stringify(ended)).not.toContain('hidden-key');
  expect(await system.executions.results.load(ended, false)).toEqual({ output: { key: '********', other: 1 } });
  expect(await system.executions.results.load(ended, true)).toEqual({ output: { key: 'hidden-key', other: 1 } });
});

describe('a runner that is full', () => {
  it('takes waiting work when a slot is free, and messages do not accumulate', async () => {
    const system = await started({
      runners: [{ slots: 1 }],
      overrides: { sweep: { interval_ms: 50, older_than_ms: 50 } },
    });
    const first = await system.request();
    const run = await system.manual.runOf(first._id);
    const second = await system.request();
    await system.untilStatus(second._id, 'scheduled');
    // The sweep keeps sending reminders of the second one meanwhile.
    const { due_at: before } = await system.executions.get(second._id);
    while ((await system.executions.get(second._id)).due_at! < before! + 500_000) await new Promise(setImmediate);
    run.end();
    (await system.manual.runOf(second._id)).end();
    await system.untilStatus(second._id, 'succeeded');
    expect(system.manual.runs.items).toHaveLength(2);
  });
});

it('leaves work to a runner that is free', async () => {
  const system = await started({ runners: [{ slots: 1 }, { slots: 8 }] });
  const records = await Promise.all(Array.from({ length: 9 }, () => system.request()));
  const runs = await system.manual.runs.until(9);
  runs.forEach((run) => run.end());
  for (const { _id } of records) expect((await system.untilStatus(_id)).status).toBe('succeeded');
});

describe('the end of a run', () => {
  it('is retried until the store accepts it', async () => {
    const system = await started();
    const record = await system.request();
    const run = await system.manual.runOf(record._id);
    await system.untilStatus(record._id, 'running');
    const { store } = system.executions.results;
    let failures = 0;
    (system.executions.results as { store: typeof store }).store = async (...given) => {
      if (failures++ < 1) throw new Error('the store is down');
      return store(...given);
    };
    run.end({ result: { kept: true } });
    const ended = await system.untilStatus(record._id, 'succeeded');
    expect(await system.executions.results.load(ended, true)).toEqual({ kept: true });
    expect(failures).toBe(2);
  });
});
