import { MINUTE_MS, MS_MICROS } from '@switchyard/base';
import type { Service } from '@switchyard/host';
import type { ExecutionRecord } from '@switchyard/model';
import type { Executions } from '@switchyard/executions';
import { eventually, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createGarbageCollector } from '../src';

const later = leakCheck();

async function started(overrides = {}): Promise<TestSystem> {
  const system = await startSystem({ overrides });
  later(() => system.close());
  await system.register({ runner_type: 'inquirer', parameters: {} });
  return system;
}

/** Starts a collector whose clock is ahead. */
async function collect(system: TestSystem, { passedMs = 0, executions = system.executions }: Collecting = {}) {
  const { clock } = system.platform;
  const shifted = { ...clock, nowMicros: () => clock.nowMicros() + passedMs * MS_MICROS };
  const service = createGarbageCollector({ ...system.platform, clock: shifted, executions });
  await service.start();
  later(() => service.stop());
  return service;
}

interface Collecting {
  passedMs?: number;
  executions?: Collected;
}

type Collected = Pick<Executions, 'records' | 'removal' | 'results' | 'transition'>;

/** An inquiry that is asked while a collector runs may already be over its limit. */
async function asked(system: TestSystem, ttl: number): Promise<ExecutionRecord> {
  const { _id } = await system.request({ parameters: { ttl } });
  return system.untilStatus(_id, 'pending', 'timeout');
}

const statuses = (system: TestSystem, records: readonly ExecutionRecord[]) =>
  Promise.all(records.map(async ({ _id }) => (await system.executions.get(_id)).status));

describe('an unanswered inquiry', () => {
  it('times out when its limit has passed, and others do not', async () => {
    const system = await started();
    const [due, ...others] = [await asked(system, 5), await asked(system, 60), await asked(system, 0)];
    await collect(system, { passedMs: 6 * MINUTE_MS });
    const ended = await system.untilStatus(due._id, 'timeout');
    expect(ended.end_timestamp).toBeGreaterThan(due.start_timestamp);
    expect(await system.executions.results.load(ended, false)).toMatchObject({ ttl: 5 });
    expect(await statuses(system, others)).toEqual(['pending', 'pending']);
  });

  it('times out if it was created while the collector was running', async () => {
    const system = await started();
    await collect(system, { passedMs: 10 * MINUTE_MS });
    const record = await asked(system, 5);
    await system.untilStatus(record._id, 'timeout');
  });

  it('times out although another one fails, and the other one follows later', async () => {
    const system = await started();
    const [first, second] = [await asked(system, 5), await asked(system, 5)];
    let refusals = 1;
    const executions: Collected = {
      ...system.executions,
      transition: (record, ...rest) => {
        if (record._id === first._id && refusals-- > 0) return Promise.reject(new Error('not now'));
        return system.executions.transition(record, ...rest);
      },
    };
    await collect(system, { passedMs: 6 * MINUTE_MS, executions });
    await system.untilStatus(second._id, 'timeout');
    await system.untilStatus(first._id, 'timeout');
    expect(system.platform.log.filter((line) => line.includes('Failed to time out an inquiry'))).toHaveLength(1);
  });

  it('times out once, with any number of collectors, even after one of them has stopped', async () => {
    const system = await started();
    const services: Service[] = [];
    for (let i = 0; i < 3; i++) services.push(await collect(system, { passedMs: 6 * MINUTE_MS }));
    const held = () => services.map((service) => service.health()).filter(isHeld);
    await eventually(
      () => held().length === 1,
      () => 'one of them to be elected',
    );
    const first = await asked(system, 5);
    const { log } = await system.untilStatus(first._id, 'timeout');
    expect(log.filter(({ status }) => status === 'timeout')).toHaveLength(1);
    await services.find((service) => isHeld(service.health()))?.stop();
    const second = await asked(system, 5);
    await system.untilStatus(second._id, 'timeout');
  });

  it('waits forever if limits are disabled', async () => {
    const system = await started({ garbagecollector: { purge_inquiries: false } });
    const record = await asked(system, 1);
    await collect(system, { passedMs: 10 * MINUTE_MS });
    expect(await statuses(system, [record])).toEqual(['pending']);
    expect(system.platform.log.some((line) => line.includes('Inquiries never time out'))).toBe(true);
  });
});

const isHeld = (report: unknown): boolean =>
  (report as { checks: { leadership: string } }).checks.leadership === 'held';
