import { eventually } from '@switchyard/testkit/platform';
import { openSensorSite, type SensorSite } from './support/sensor-site';

let site: SensorSite;
beforeEach(async () => void (site = await openSensorSite()));
afterEach(() => site.close());

const POLLING = `
exports.Poller = class {
  constructor(service, config) {
    Object.assign(this, { service, config, count: 0 });
  }
  async poll() {
    this.count += 1;
    await this.service.dispatch('tests.poller', { count: this.count, config: this.config });
  }
};`;

describe('A sensor in JavaScript', () => {
  it('polls, and is restarted after it was killed', async () => {
    await site.platform.store.configs.upsert({ pack: 'tests', values: { region: 'north' } });
    await site.addSensor({ class_name: 'Poller', file: 'poller.js', poll_interval: 0.02, text: POLLING });
    await site.container();
    const [, second] = await site.untilEvents('tests.poller', 2);
    expect(second?.payload).toEqual({ count: 2, config: { region: 'north' } });
    const { process: mark } = await site.untilState('tests.Poller', 'running');
    process.kill(mark!.pid, 'SIGKILL');
    const state = await eventually(
      async () => {
        const found = await site.state('tests.Poller');
        return found?.state === 'running' && found.restarts === 1 && found;
      },
      () => 'a new process',
    );
    expect(state.last_exit).toMatchObject({ signal: 'SIGKILL' });
  });

  it('continues after events over a limit were refused, with the limit in the log', async () => {
    const text = `
exports.Deep = class {
  constructor(service) { this.service = service; }
  async run() {
    let deep = 1;
    for (let level = 0; level < 3000; level++) deep = [deep];
    for (const payload of [{ deep }, { ['a\\0']: 1 }, { list: Array.from({ length: 200001 }, () => 1) }, { fits: 1 }])
      await this.service.dispatch('tests.deep', payload);
    await new Promise(() => setInterval(() => undefined, 1000));
  }
};`;
    await site.addSensor({ class_name: 'Deep', file: 'deep.js', text });
    await site.container();
    const events = await site.untilEvents('tests.deep', 1);
    expect(events.map(({ payload }) => payload)).toEqual([{ fits: 1 }]);
    const log = site.platform.log.join('');
    for (const reason of ['limits.max_depth', 'NUL character', 'limits.max_members']) expect(log).toContain(reason);
  });

  it('may be an ES module, stores items, receives triggers, and cleans up', async () => {
    const text = `
export class Whole {
  constructor(service) { this.service = service; }
  async setup() { await this.service.setValue('a', 'x', { ttlSeconds: 60 }); }
  async run() {
    const { service } = this;
    const found = [await service.getValue('a'), (await service.listValues()).map(({ name }) => name)];
    await service.dispatch({ type: 'tests.whole' }, { found, gone: await service.deleteValue('a') }, { traceTag: 'tag' });
    await service.dispatch('tests.unknown');
    await new Promise(() => setInterval(() => undefined, 1000));
  }
  async addTrigger({ ref }) { await this.service.dispatch('tests.whole', { added: ref }); }
  async cleanup() { await this.service.dispatch('tests.whole', { clean: true }); }
}`;
    await site.addSensor({ class_name: 'Whole', file: 'whole.mjs', text });
    const container = await site.container();
    const events = await site.untilEvents('tests.whole', 2);
    expect(events.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ added: 'tests.whole' }, { found: ['x', ['tests.Whole:a']], gone: true }]),
    );
    expect(events.find(({ payload }) => 'found' in payload)?.trace_context).toEqual({ trace_tag: 'tag' });
    await eventually(
      () => site.platform.log.join('').includes("doesn't exist in the database"),
      () => 'the refused event in the log',
    );
    await container.stop();
    expect((await site.events('tests.whole')).map(({ payload }) => payload)).toContainEqual({ clean: true });
  });

  it.each([
    ['exports no class "Broken"', 'exports.Other = class {};'],
    ['has neither "run" nor "poll"', 'exports.Broken = class {};'],
    ['no good', 'exports.Broken = class { async run() { throw new Error("no good"); } };'],
    [
      'later',
      'exports.Broken = class { run() { setTimeout(() => { throw new Error("later"); }); return new Promise(() => {}); } };',
    ],
  ])('reports why it fails: %s', async (reason, text) => {
    await site.addSensor({ class_name: 'Broken', file: 'broken.js', text });
    await site.container();
    const state = await eventually(
      async () => {
        const found = await site.state('tests.Broken');
        return found?.last_exit && found;
      },
      () => 'the end',
    );
    expect(state.last_exit).toMatchObject({ exit_code: 1, reason: expect.stringContaining(reason) });
  });

  it('in TypeScript runs as the compiled file', async () => {
    await site.write('sensors/typed.js', POLLING);
    await site.addSensor({ class_name: 'Poller', file: 'typed.ts', text: 'export {};' });
    await site.container();
    await site.untilEvents('tests.poller', 1);
  });
});
