import { DAY_MS, MS_MICROS } from '@switchyard/base';
import type { ConfigOverrides } from '@switchyard/config';
import { createAuditTrail } from '@switchyard/identity';
import type { AuditEntry } from '@switchyard/model';
import { eventually, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createGarbageCollector } from '../src';

const later = leakCheck();
const entry: AuditEntry = {
  ...{ kind: 'change', user: 'ada', authenticated_by: 'token', address: '127.0.0.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r', changed: [] },
};

/** A system with one audit record, and a collector in which some days have passed. */
async function collected(
  garbagecollector: Required<ConfigOverrides>['garbagecollector'],
  days: number,
): Promise<TestSystem> {
  const system = await startSystem({ overrides: { garbagecollector } });
  later(() => system.close());
  const { platform, executions } = system;
  const trail = createAuditTrail(platform);
  await trail.record(entry);
  await trail.settled();
  const { clock } = platform;
  const ahead = { ...clock, nowMicros: () => clock.nowMicros() + days * DAY_MS * MS_MICROS };
  const collector = createGarbageCollector({ ...platform, clock: ahead, executions });
  await collector.start();
  later(() => collector.stop());
  return system;
}

const recordsOfAda = ({ platform }: TestSystem) => platform.store.audit.count({ user: 'ada' });

it.each([[{ audit_ttl: 3 }], [{ audit_ttl: 3, purge_inquiries: false }]])(
  'removes old audit records, with %j',
  async (options) => {
    const system = await collected(options, 5);
    await eventually(
      async () => (await recordsOfAda(system)) === 0,
      () => 'the old record to be removed',
    );
    expect(await system.platform.store.audit.count({ kind: 'retention' })).toBe(1);
  },
);

it('keeps audit records that are not old enough', async () => {
  const system = await collected({ audit_ttl: 3, purge_inquiries: false }, 2);
  await eventually(
    () => system.platform.log.some((line) => line.includes('Inquiries never time out')),
    () => 'the collector to run',
  );
  expect(await recordsOfAda(system)).toBe(1);
});

it('keeps audit records forever by default', async () => {
  const system = await collected({ purge_inquiries: false }, 5000);
  expect(await recordsOfAda(system)).toBe(1);
});
