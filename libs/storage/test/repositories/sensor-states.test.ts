import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';

let platform: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const owner = (instance: string) => ({ instance, host: 'east', pid: 1 });

describe('the state of a sensor', () => {
  it('has one owner, however many claim it concurrently', async () => {
    const { sensorStates } = platform.store;
    const claims = await Promise.all(['a', 'b', 'c'].map((name) => sensorStates.claim('tests.A', owner(name))));
    const [taken, ...others] = claims.filter((claim) => claim !== undefined);
    expect([taken?.state, others]).toEqual(['stopped', []]);
    expect(await sensorStates.get('tests.A')).toEqual(taken);
  });

  it('is taken over from a dead owner once, and the dead owner can no longer write it', async () => {
    const { sensorStates } = platform.store;
    await sensorStates.claim('tests.B', owner('dead'));
    await sensorStates.change('tests.B', 'dead', { set: { state: 'running', reason: 'x' }, inc: { restarts: 2 } });
    const claims = await Promise.all(['a', 'b'].map((name) => sensorStates.claim('tests.B', owner(name), 'dead')));
    expect(claims.filter((claim) => claim !== undefined)).toEqual([
      { _id: 'tests.B', state: 'stopped', restarts: 0, owner: expect.objectContaining({ host: 'east' }) },
    ]);
    expect(await sensorStates.change('tests.B', 'dead', { set: { state: 'running' } })).toBe(false);
  });

  it('is removed only while the sensor has no owner', async () => {
    const { sensorStates } = platform.store;
    await sensorStates.claim('tests.C', owner('a'));
    await sensorStates.forget('tests.C');
    expect(await sensorStates.list(['tests.C'])).toHaveLength(1);
    await sensorStates.change('tests.C', 'a', { unset: ['owner'] });
    await sensorStates.forget('tests.C');
    expect(await sensorStates.get('tests.C')).toBeUndefined();
  });
});
