import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WarmWorker } from '../../src/python-script/warm/warm-worker';
import { isAlive } from '../processes';
import type { Trial } from '../runner-fixture';
import { describePython, PythonPack } from './python-pack';

const FOREVER = 1e9;
const WHO = 'return os.getppid()';
/** Adds the time zone that is in effect to the environment. */
const ZONE = 'os.environ["ZONE"] = time.tzname[0]';

/** Reads a frame and refuses. */
const REFUSING = `exec python3 -c '
import json, os, struct
lengths = struct.unpack("!II", os.read(3, 8))
head = json.loads(os.read(3, lengths[0]))
os.write(3, json.dumps({"type": "refused", "id": head["id"], "reason": "not now"}).encode() + b"\\n")
while os.read(3, 9999): pass
'`;

/** Polls for a condition that has no event. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

describePython('A warm worker', () => {
  const packs: PythonPack[] = [];
  const packWith = (...parameters: ConstructorParameters<typeof PythonPack>): PythonPack => {
    const pack = new PythonPack(...parameters);
    packs.push(pack);
    return pack;
  };
  afterEach(async () => {
    await Promise.all(packs.splice(0).map((pack) => pack.remove()));
  });

  const workerOf = async (pack: PythonPack, trial: Partial<Trial> = {}): Promise<number> =>
    (await pack.run(WHO, trial)).result['result'] as number;

  it('serves one run after another', async () => {
    const pack = packWith();
    const worker = await workerOf(pack);
    expect(worker).not.toBe(process.pid);
    expect(await workerOf(pack)).toBe(worker);
    expect(await workerOf(pack, { action: { pack: 'core' } })).toBe(worker);
  });

  it('gives its runs the environment that they would have in an interpreter of their own', async () => {
    // The interpreter itself may set the locale; the others name the run and its pack.
    const others = /^(LC_CTYPE|PYTHONPATH|\w+_EXECUTION_ID)$/;
    const body = `${ZONE}\nreturn dict(os.environ)`;
    const environment = {
      PATH: process.env['PATH']!,
      HOME: '/root',
      KEPT: 'as it is',
      REPLACED: 'before',
      TZ: 'JST-9',
    };
    const trial = {
      settings: { environment },
      parameters: { env: { REPLACED: 'after', ADDED: 'ä', TZ: 'CET-1CEST' } },
    };
    const variablesOf = async (pack: PythonPack) => {
      const variables = (await pack.run(body, trial)).result['result'] as Record<string, string>;
      return Object.fromEntries(Object.entries(variables).filter(([name]) => !others.test(name)));
    };
    const warm = await variablesOf(packWith());
    expect(warm).toEqual(await variablesOf(packWith({ warmWorkers: false })));
    expect(warm).toMatchObject({ KEPT: 'as it is', REPLACED: 'after', ADDED: 'ä', ZONE: 'CET' });
  });

  it('is started by the first run, and ends with the runner', async () => {
    const pack = packWith();
    const worker = await workerOf(pack);
    await pack.plugin.close?.();
    expect(isAlive(worker)).toBe(false);
    expect(await workerOf(pack)).not.toBe(worker);
  });

  it('lets its runs finish before it ends', async () => {
    const pack = packWith();
    const gate = join(pack.root, 'gate');
    const waiting = pack.start(
      pack.action(`while not os.path.exists(${JSON.stringify(gate)}): time.sleep(0.01)\n${WHO}`),
    );
    await waiting.started;
    const closed = pack.plugin.close?.();
    expect((await pack.run(`open(${JSON.stringify(gate)}, "w")`)).status).toBe('succeeded');
    expect((await waiting.handle.result).status).toBe('succeeded');
    await closed;
  });

  it('ends after being idle for a while', async () => {
    const pack = packWith({}, { idleMs: 1 });
    const worker = await workerOf(pack);
    await until(() => !isAlive(worker));
  });

  it('fails its runs, with the reason, when it is killed', async () => {
    const pack = packWith();
    const worker = await workerOf(pack);
    const { handle, started } = pack.start(pack.action('time.sleep(600)'));
    const { pid } = await started;
    process.kill(worker, 'SIGKILL');
    expect(await handle.result).toEqual({
      status: 'failed',
      result: {
        stdout: '',
        stderr: '',
        exit_code: -9,
        result: 'None',
        error: 'The action was killed because its interpreter exited: The warm worker has ended.',
      },
      truncated: false,
    });
    expect(isAlive(pid)).toBe(false);
  });

  it('is not replaced during the pause after a crash', async () => {
    const pack = packWith({}, { pauseMs: FOREVER });
    const worker = await workerOf(pack);
    process.kill(worker, 'SIGKILL');
    await until(() => !existsSync(`/proc/${worker}`));
    const runs = [await pack.run(WHO), await pack.run(WHO)];
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(await workerOf(pack)).toBe(process.pid);
  });

  it('is replaced after the pause', async () => {
    const pack = packWith({}, { pauseMs: 0 });
    const worker = await workerOf(pack);
    process.kill(worker, 'SIGKILL');
    await until(() => !existsSync(`/proc/${worker}`));
    await pack.run(WHO);
    const next = await workerOf(pack);
    expect([worker, process.pid]).not.toContain(next);
  });

  it('is killed when it does not respond, and its run starts once, in another process', async () => {
    const pack = packWith({}, { beginMs: 200 });
    const pidFile = join(pack.root, 'worker');
    pretend(pack, `echo $$ > ${pidFile}; exec sleep 600`);
    const log = join(pack.root, 'log');
    const append = pack.action(`open(${JSON.stringify(log)}, "a").write("ran ")\n${WHO}`);
    const runs = [1, 2, 3].map(() => pack.start(append));
    const results = await Promise.all(runs.map(({ handle }) => handle.result));
    expect(results.map(({ result }) => result['result'])).toEqual([process.pid, process.pid, process.pid]);
    expect(runs.flatMap(({ warnings }) => warnings)).toEqual(
      Array.from({ length: 3 }, () => 'Running a Python action in a separate interpreter.'),
    );
    expect(readFileSync(log, 'utf8')).toBe('ran ran ran ');
    expect(existsSync(pidFile) && isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  it.each([
    ['refuses', REFUSING, 'not now'],
    ['cannot work', `echo '{"type": "unable", "reason": "no room"}' >&3`, 'No warm worker is possible: no room'],
    ['sends an invalid message', 'echo what >&3; exec sleep 600', 'The warm worker sent an invalid message'],
    ['ends at once', 'echo broken >&2', 'The warm worker has ended. broken'],
  ])('that %s is not used again for a while', async (_, program, reason) => {
    const pack = packWith({}, { pauseMs: FOREVER });
    pretend(pack, program);
    const reasons: unknown[] = [];
    const warn = (_message: string, fields?: Record<string, unknown>) => void reasons.push(fields?.['reason']);
    const logger = { error: warn, warn, info: () => undefined, debug: () => undefined };
    expect(await workerOf(pack, { abilities: { logger } })).toBe(process.pid);
    expect(await workerOf(pack, { abilities: { logger } })).toBe(process.pid);
    // A program that ends before its first request may not get its last output through.
    expect(reasons).toEqual([expect.stringMatching(new RegExp(`${reason}|^The warm worker has ended`))]);
  });

  it('is killed when it does not report the end of a run', async () => {
    const pack = packWith({}, { lookMs: 1000 });
    const worker = await workerOf(pack);
    const { handle, started } = pack.start(pack.action('time.sleep(600)'));
    const { pid } = await started;
    process.kill(worker, 'SIGSTOP');
    process.kill(pid, 'SIGKILL');
    expect((await handle.result).result['error']).toMatch('The warm worker did not report the end of a run.');
  });

  it('survives SIGTERM, which ends the runs that it serves', async () => {
    const pack = packWith();
    const worker = await workerOf(pack);
    process.kill(worker, 'SIGTERM');
    expect((await pack.run('os.kill(os.getpid(), 15)')).result['exit_code']).toBe(-15);
    expect(await workerOf(pack)).toBe(worker);
  });

  it('is stopped to make room for another interpreter', async () => {
    const pack = packWith({}, { most: 1 });
    makeEnvironment(pack);
    const first = await workerOf(pack);
    await workerOf(pack, { action: { pack: 'core' } });
    await until(() => !isAlive(first));
  });

  it('ends when the virtual environment of its pack is recreated', async () => {
    const pack = packWith();
    makeEnvironment(pack);
    const first = await workerOf(pack);
    makeEnvironment(pack);
    expect(await workerOf(pack)).not.toBe(first);
    await until(() => !isAlive(first));
  });

  it('is not used for ids that do not fit into its environment', () => {
    expect([WarmWorker.fits('0'.repeat(24)), WarmWorker.fits('0'.repeat(65)), WarmWorker.fits('é')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

/** Replaces the worker of the pack by a shell program; single runs are unchanged. */
function pretend({ settings }: PythonPack, program: string): void {
  const python = join(settings.virtualenvs, 'garden/bin/python');
  mkdirSync(join(python, '..'), { recursive: true });
  const script = `#!/bin/sh\ncase "$*" in *--warm*) ${program}; exit;; esac\nexec python3 "$@"\n`;
  writeFileSync(python, script, { mode: 0o755 });
}

function makeEnvironment({ settings }: PythonPack): void {
  const environment = join(settings.virtualenvs, 'garden');
  rmSync(environment, { recursive: true, force: true });
  expect(spawnSync('python3', ['-m', 'venv', '--without-pip', environment]).status).toBe(0);
}
