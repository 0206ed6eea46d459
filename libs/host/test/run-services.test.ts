import { deferred } from '@switchyard/base';
import { leakCheck } from '@switchyard/testkit';
import {
  runServices,
  runUntilStopped,
  type HostProcess,
  type RunOutcome,
  type RunServicesOptions,
  type ServerInUse,
  type Service,
} from '../src';

type Event = string;

/** Long enough for a service to start once the test allows it. */
const FINISH_START_MS = 2000;

/** Services that record what happens to them, in a fake process. */
function bench() {
  const events: Event[] = [];
  const listeners: Record<string, (error?: unknown) => void> = {};
  const exited = deferred<number>();
  const process: HostProcess = {
    on: (...[event, listener]) => void (listeners[event] = listener),
    off: (...[event]) => delete listeners[event],
    exit: (code) => {
      events.push(`exit ${code}`);
      exited.resolve(code);
    },
  };
  const service = (name: string, more: Partial<Service> = {}): Service & { fail(error: Error): void } => {
    const ended = deferred();
    const note = (verb: string) => async () => void events.push(`${verb} ${name}`);
    const end = (verb: string) => async () => {
      events.push(`${verb} ${name}`);
      ended.resolve();
    };
    return {
      name,
      start: note('start'),
      stop: end('stop'),
      kill: end('kill'),
      finished: ended.promise,
      health: () => ({ live: true, ready: true, checks: {} }),
      ...more,
      fail: (error) => ended.reject(error),
    };
  };
  const errors: string[] = [];
  const logger = {
    info: () => undefined,
    error: (text: string, fields?: object) => void errors.push(`${text} ${JSON.stringify(fields)}`),
  };
  const up = deferred();
  const run = (...services: Service[]) => runWith([], ...services);
  const runWith = (servers: ServerInUse[], ...services: Service[]) => runAs({ servers }, ...services);
  const runAs = (more: Partial<RunServicesOptions>, ...services: Service[]) =>
    runServices(services, {
      process,
      logger,
      lookMs: 1,
      finishStartMs: FINISH_START_MS,
      started: async () => {
        events.push('started');
        up.resolve();
      },
      release: async () => void events.push('release'),
      ...more,
    });
  return {
    events,
    errors,
    service,
    run,
    runWith,
    runAs,
    listeners,
    up: up.promise,
    exited: exited.promise,
    signal: (name = 'SIGTERM', error?: unknown) => listeners[name]?.(error),
  };
}

leakCheck();

describe('running services', () => {
  it.each(['SIGTERM', 'SIGINT'])('starts them in order and, after %s, stops them in reverse', async (name) => {
    const { events, service, run, up, signal } = bench();
    const running = run(service('a'), service('b'));
    await up;
    signal(name);
    await running;
    expect(events).toEqual(['start a', 'start b', 'started', 'stop b', 'stop a', 'release']);
  });

  it('a signal during a start stops that service and those before it, and starts no more', async () => {
    const { events, service, run, signal } = bench();
    const starting = deferred();
    const go = deferred();
    const slow = service('slow', {
      start: async () => {
        events.push('start slow');
        starting.resolve();
        await go.promise;
      },
    });
    const running = run(service('a'), slow, service('c'));
    await starting.promise;
    signal();
    go.resolve();
    await running;
    expect(events).toEqual(['start a', 'start slow', 'stop slow', 'stop a', 'release']);
  });

  it('keeps running after an uncaught error', async () => {
    const { events, errors, service, run, up, signal } = bench();
    const running = run(service('a'));
    await up;
    signal('uncaughtException', new Error('in a timer'));
    signal('unhandledRejection', new Error('of a stream'));
    expect(events).toEqual(['start a', 'started']);
    expect(errors.join()).toMatch(/in a timer.*of a stream/);
    signal();
    await running;
    expect(events).toEqual(['start a', 'started', 'stop a', 'release']);
  });

  it('a second signal kills services that are still stopping, and exits', async () => {
    const { events, service, run, up, signal, exited } = bench();
    const stopping = deferred();
    const stuck = deferred();
    const b = service('b', {
      stop: async () => {
        events.push('stop b');
        stopping.resolve();
        await stuck.promise;
      },
    });
    const running = run(service('a'), b);
    await up;
    signal();
    await stopping.promise;
    signal('SIGINT');
    signal();
    expect(await exited).toBe(1);
    expect(events).toEqual(['start a', 'start b', 'started', 'stop b', 'kill a', 'kill b', 'exit 1']);
    stuck.resolve();
    await running;
  });

  it('a service that fails stops the others', async () => {
    const { events, errors, service, run, up } = bench();
    const b = service('b');
    const running = run(service('a'), b, service('c'));
    await up;
    b.fail(new Error('broken'));
    await expect(running).rejects.toThrow('broken');
    expect(events).toEqual(['start a', 'start b', 'start c', 'started', 'stop c', 'stop b', 'stop a', 'release']);
    expect(errors).toEqual(['A service ended because of an error. {"error":"broken"}']);
  });

  it('a service that fails while another one starts is reported', async () => {
    const { events, service, run } = bench();
    const a = service('a');
    const b = service('b', {
      start: async () => {
        a.fail(new Error('broken'));
        await new Promise((resolve) => setImmediate(resolve));
      },
    });
    await expect(run(a, b)).rejects.toThrow('broken');
    expect(events).toEqual(['start a', 'started', 'stop b', 'stop a', 'release']);
  });

  it('a service that fails to start stops those that did', async () => {
    const { events, service, run } = bench();
    const b = service('b', { start: () => Promise.reject(new Error('port taken')) });
    await expect(run(service('a'), b, service('c'))).rejects.toThrow('port taken');
    expect(events).toEqual(['start a', 'kill b', 'stop a', 'release']);
  });

  it('a service that is still waiting when it should stop is killed, and the others stop', async () => {
    const { events, errors, service, run, signal } = bench();
    const starting = deferred();
    const never = deferred();
    const b = service('b', {
      start: async () => {
        starting.resolve();
        await never.promise;
      },
    });
    const running = run(service('a'), b, service('c'));
    await starting.promise;
    signal();
    await running;
    expect(events).toEqual(['start a', 'kill b', 'stop a', 'release']);
    expect(errors).toEqual([]);
  });

  it('a service that fails to stop does not prevent the others from stopping', async () => {
    const { events, errors, service, run, up, signal } = bench();
    const running = run(service('a'), service('b', { stop: () => Promise.reject(new Error('stuck')) }));
    await up;
    signal();
    await expect(running).rejects.toThrow('stuck');
    expect(events).toEqual(['start a', 'start b', 'started', 'stop a', 'release']);
    expect(errors[0]).toContain('The service b could not be stopped.');
  });

  it('ends when all services have ended by themselves', async () => {
    const { events, service, run } = bench();
    await run(service('a', { finished: Promise.resolve() }));
    expect(events).toEqual(['start a', 'started', 'stop a', 'release']);
  });
});

describe('stopping services when a server does not respond', () => {
  const never = () => new Promise<void>(() => undefined);
  const silent = (name: string, more: Partial<ServerInUse> = {}): ServerInUse => ({ name, ping: never, ...more });

  it('kills them without the store, and fails', async () => {
    const { events, errors, service, runWith, up, signal } = bench();
    const running = runWith([silent('store')], service('a'), service('b', { stop: never }));
    await up;
    signal();
    await expect(running).rejects.toMatchObject({ code: 'storage.unreachable' });
    expect(events).toEqual(['start a', 'start b', 'started', 'kill a', 'kill b', 'release']);
    expect(errors).toContain('The store does not respond; stopping without it. undefined');
  });

  it('does not wait for one that is still starting', async () => {
    const { events, service, runWith, signal } = bench();
    const starting = deferred();
    const b = service('b', {
      start: () => {
        starting.resolve();
        return never();
      },
    });
    const running = runWith([silent('store')], service('a'), b);
    await starting.promise;
    signal();
    await expect(running).rejects.toMatchObject({ code: 'storage.unreachable' });
    expect(events).toEqual(['start a', 'kill b', 'kill a', 'release']);
  });

  it('lets everything that waits for another server fail, so that they stop properly', async () => {
    const { events, service, runWith, up, signal } = bench();
    const failing = deferred();
    const servers = [
      { name: 'store', ping: () => Promise.resolve() },
      silent('message broker', { abandon: failing.resolve }),
    ];
    const b = service('b', { stop: () => failing.promise });
    const running = runWith(servers, service('a'), b);
    await up;
    signal();
    await running;
    expect(events).toEqual(['start a', 'start b', 'started', 'stop a', 'release']);
  });

  it('waits for running work', async () => {
    const { events, service, runWith, up, signal } = bench();
    const finished = deferred();
    let asked = 0;
    const ping = () => {
      if (++asked === 20) finished.resolve();
      return never();
    };
    const b = service('b', { stop: () => finished.promise, isFinishingWork: () => true });
    const running = runWith([silent('store', { ping })], service('a'), b);
    await up;
    signal();
    await running;
    expect(events).toEqual(['start a', 'start b', 'started', 'stop a', 'release']);
  });
});

it('logs which service is still stopping', async () => {
  const told = deferred<string>();
  const { service } = bench();
  const slow = service('slow', { stop: async () => void (await told.promise) });
  const quick = service('quick');
  const listeners: Record<string, (error?: unknown) => void> = {};
  const process: HostProcess = {
    on: (...[name, listener]) => void (listeners[name] = listener),
    off: () => undefined,
    exit: () => undefined,
  };
  const info = (text: string) => void (text.startsWith('The service') && told.resolve(text));
  const started = async () => listeners['SIGTERM']?.();
  await runServices([quick, slow], { process, logger: { info, error: info }, started, tellStopMs: 1 });
  expect(await told.promise).toBe('The service slow is still finishing its work.');
});

describe('a store that goes away before all services have started', () => {
  const away = () => Promise.reject(Object.assign(new Error('gone'), { name: 'MongoNetworkError' }));

  it('makes the process start them again, and listen for signals anew', async () => {
    const { events, service, runAs, listeners } = bench();
    const outcome = await runAs({ startsAgain: true }, service('a'), service('b', { start: away }));
    expect(outcome).toBe('start again');
    expect(events).toEqual(['start a', 'kill b', 'stop a', 'release']);
    expect(listeners).toEqual({});
  });

  it.each<[string, Partial<RunServicesOptions>, (listeners: Record<string, () => void>) => Promise<void>]>([
    ['if the process does not start again', {}, away],
    ['for another error', { startsAgain: true }, () => Promise.reject(new Error('gone'))],
    [
      'after a signal',
      { startsAgain: true },
      (listeners) => {
        listeners['SIGTERM']!();
        return away();
      },
    ],
  ])('is an error %s', async (_, options, start) => {
    const { events, service, runAs, listeners } = bench();
    const b = service('b', { start: () => start(listeners) });
    await expect(runAs(options, service('a'), b)).rejects.toThrow('gone');
    expect(events).toEqual(['start a', 'kill b', 'stop a', 'release']);
  });

  it('is an error once they have started', async () => {
    const { service, runAs, up } = bench();
    const a = service('a');
    const running = runAs({ startsAgain: true }, a);
    await up;
    a.fail(Object.assign(new Error('gone'), { name: 'MongoNetworkError' }));
    await expect(running).rejects.toThrow('gone');
  });

  it('is waited for with a pause', async () => {
    const outcomes: RunOutcome[] = ['start again', 'stopped'];
    const pauses: unknown[] = [];
    await runUntilStopped(async () => outcomes.shift()!, { warn: (_, { waitMs }) => void pauses.push(waitMs) });
    expect(outcomes).toEqual([]);
    expect(pauses).toEqual([expect.any(Number)]);
  });
});
