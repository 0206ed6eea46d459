import { deferred } from '@switchyard/base';
import { createService, dropAll, stopAll } from '../src';

const idle = { name: 'idle', start: async () => undefined, stop: async () => undefined, kill: () => undefined };

const bus = (isUp: boolean) => ({ ready: (): boolean => isUp });

/** Whether a promise has settled by now. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))])) !== pending;
}

describe('a service', () => {
  it('has not ended before it is stopped', async () => {
    const service = createService(idle);
    await service.start();
    expect(await hasSettled(service.finished)).toBe(false);
    await service.stop();
    expect(await hasSettled(service.finished)).toBe(true);
  });

  it('ends only when its work has stopped', async () => {
    const stopped = deferred();
    const service = createService({ ...idle, stop: () => stopped.promise });
    const stopping = service.stop();
    expect(await hasSettled(service.finished)).toBe(false);
    stopped.resolve();
    await stopping;
    expect(await hasSettled(service.finished)).toBe(true);
  });

  it('passes on the error of a failed stop, and still ends', async () => {
    const service = createService({ ...idle, stop: () => Promise.reject(new Error('no')) });
    await expect(service.stop()).rejects.toThrow('no');
    expect(await hasSettled(service.finished)).toBe(true);
  });

  it('ends when it is killed', async () => {
    const service = createService(idle);
    await service.kill();
    expect(await hasSettled(service.finished)).toBe(true);
  });

  it('can end by itself', async () => {
    const ended = deferred();
    const service = createService({ ...idle, ended });
    ended.resolve();
    expect(await hasSettled(service.finished)).toBe(true);
  });

  it.each([
    ['is ready without a bus', {}, { ready: true, checks: {} }],
    ['is ready while its bus is', { bus: bus(true) }, { ready: true, checks: { bus: 'ok' } }],
    [
      'is not ready while its bus is unavailable',
      { bus: bus(false), checks: () => ({ slots: '0 of 2 in use' }) },
      { ready: false, checks: { bus: 'not connected', slots: '0 of 2 in use' } },
    ],
    [
      'may be ready without its bus',
      { bus: bus(false), isReady: (): boolean => true },
      { ready: true, checks: { bus: 'not connected' } },
    ],
  ])('%s', async (_, work, health) => {
    expect(await createService({ ...idle, ...work }).health()).toEqual({ live: true, ...health });
  });
});

describe('parts of a service', () => {
  const parts = () => {
    const told: string[] = [];
    const slow = deferred();
    const part = (name: string, until: Promise<void>) => ({
      stop() {
        told.push(name);
        return until;
      },
    });
    return { told, slow, all: [part('slow', slow.promise), undefined, part('fast', Promise.resolve())] };
  };

  it('stop at the same time, and stopAll waits for all of them', async () => {
    const { told, slow, all } = parts();
    const stopping = stopAll(all);
    expect(told).toEqual(['slow', 'fast']);
    expect(await hasSettled(stopping)).toBe(false);
    slow.resolve();
    await stopping;
  });

  it('are stopped without waiting by dropAll', () => {
    const { told, all } = parts();
    dropAll(all);
    expect(told).toEqual(['slow', 'fast']);
  });
});
