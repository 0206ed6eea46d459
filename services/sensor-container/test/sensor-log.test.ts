import { eventually, handClock } from '@switchyard/testkit/platform';
import { createSensorLog } from '../src/sensor-log';
import { openSensorSite, type SensorSite } from './support/sensor-site';

let site: SensorSite;
beforeEach(async () => void (site = await openSensorSite()));
afterEach(() => site.close());

const linesOf = async (ref: string) =>
  (await site.platform.store.sensorLogs.read(ref)).flatMap(({ lines }) => lines.map(({ at: _, ...line }) => line));

const untilLine = (ref: string, text: string) =>
  eventually(
    async () => (await linesOf(ref)).some((line) => line.text.includes(text)),
    () => `"${text}" in the log of ${ref}`,
  );

const TALKER = `
exports.Talker = class {
  constructor(service, config) { Object.assign(this, { service, config }); }
  async run() {
    console.log('printed ' + this.config.token);
    console.error('complained');
    this.service.logger.warn('warned of ' + (await this.service.getValue('pw', { local: false, decrypt: true })));
    console.log('token ' + process.env.SVC_AUTH_TOKEN);
    await new Promise((resolve) => setTimeout(resolve, 60000));
  }
};`;

describe('the stored log of a sensor', () => {
  it('has what the sensor wrote and what happened to its process, with secrets masked', async () => {
    const { store } = site.platform;
    await store.configSchemas.upsert({ pack: 'tests', attributes: { token: { type: 'string', secret: true } } });
    await store.configs.upsert({ pack: 'tests', values: { token: 'correct-horse' } });
    await site.datastore.put({ scope: 'system', name: 'pw' }, { value: 'battery-staple', secret: true });
    await site.addSensor({ class_name: 'Talker', file: 'talker.js', text: TALKER });
    const container = await site.container();
    await untilLine('tests.Talker', 'token ');
    const { process: mark } = (await site.state('tests.Talker'))!;
    await container.stop();
    const lines = await linesOf('tests.Talker');
    expect(lines).toEqual(
      expect.arrayContaining([
        { source: 'container', text: `Started process ${mark!.pid} on ${mark!.host}.` },
        { source: 'stdout', text: 'printed ********' },
        { source: 'stderr', text: 'complained' },
        { source: 'logger', level: 'WARNING', text: 'warned of ********' },
        { source: 'stdout', text: 'token ********' },
        { source: 'container', text: expect.stringContaining('as requested') },
      ]),
    );
  });

  it('masks secrets in the last output of a process that failed', async () => {
    const { store } = site.platform;
    await store.configSchemas.upsert({ pack: 'tests', attributes: { token: { type: 'string', secret: true } } });
    await store.configs.upsert({ pack: 'tests', values: { token: 'correct-horse' } });
    const text = `exports.Loser = class { constructor(service, { token }) { console.error('no ' + token); process.exit(3); } };`;
    await site.addSensor({ class_name: 'Loser', file: 'loser.js', text });
    await site.container();
    const { last_exit: exit } = await site.untilState('tests.Loser', 'waiting');
    expect(exit?.reason).toBe('no ********');
    await untilLine('tests.Loser', 'The process ended with exit code 3.');
  });

  it('is removed with the sensor', async () => {
    await site.addSensor({ class_name: 'Talker', file: 'talker.js', text: TALKER });
    await site.container();
    await untilLine('tests.Talker', 'complained');
    await site.removeSensor('tests.Talker');
    await eventually(
      async () => (await linesOf('tests.Talker')).length === 0 && (await site.state('tests.Talker')) === undefined,
      () => 'the removal of the log',
    );
  });
});

describe('the writer of a log', () => {
  const setUp = () => {
    const clock = handClock();
    const { store, logger } = site.platform;
    const deps = { logs: store.sensorLogs, clock, logger, ref: 'tests.Busy' };
    const stored = async (count: number) => {
      clock.advance(1000);
      await eventually(
        async () => (await linesOf('tests.Busy')).at(-1)?.text === String(count),
        () => `line ${count}`,
      );
    };
    return { deps, stored };
  };

  it('keeps about 500 lines, also those of another container, and cuts off long ones', async () => {
    const { deps, stored } = setUp();
    const first = createSensorLog(deps);
    for (let count = 1; count <= 400; count++) first.add({ source: 'stdout', text: String(count) });
    await stored(400);
    await first.finish();
    const second = createSensorLog(deps);
    for (let count = 401; count <= 700; count++) {
      second.add({ source: 'stdout', text: String(count) });
      if (count % 100 === 0) await stored(count);
    }
    await second.finish();
    const texts = (await linesOf('tests.Busy')).map(({ text }) => text);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([700, '1', '700']);
    const third = createSensorLog(deps);
    third.add({ source: 'stdout', text: 'x'.repeat(5000) });
    await third.finish();
    const left = await linesOf('tests.Busy');
    expect([left.length, left.at(-1)?.text.length]).toEqual([701, 4000]);
  });

  it('keeps the last lines while the store does not work, and stores them later', async () => {
    const { deps } = setUp();
    let works = false;
    const append: typeof deps.logs.append = (record) =>
      works ? deps.logs.append(record) : Promise.reject(new Error('the store is away'));
    const writer = createSensorLog({ ...deps, logs: { ...deps.logs, append } });
    for (let count = 1; count <= 600; count++) writer.add({ source: 'stdout', text: String(count) });
    deps.clock.advance(1000);
    await eventually(
      () => site.platform.log.join('').includes('Failed to store log lines of a sensor.'),
      () => 'a warning',
    );
    works = true;
    await writer.finish();
    const texts = (await linesOf('tests.Busy')).map(({ text }) => text);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([500, '101', '600']);
  });
});
