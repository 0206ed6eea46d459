import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deferred } from '@switchyard/base';
import { actionEnvironment } from '@switchyard/runners';
import { testedPythons } from '@switchyard/testkit/pythons';
import { RUNNER_PYTHON_MODULES } from '../../src/python-script/python-environment';
import { isAlive } from '../processes';
import { PythonPack } from './python-pack';

const pythons = testedPythons('Python actions are tested');

const NAMES = `
import svccommon.runners.base_action as ours, st2actions.runners.pythonrunner as oldest
import st2common.services.datastore, st2common.models.api.keyvalue, svccommon.services.datastore as same
return [ours.Action is Action, oldest.Action is Action, same is st2common.services.datastore]`.trim();

const THREADS = `
import concurrent.futures, threading
late = threading.Thread(target=lambda: (time.sleep(0.05), print("thread")))
late.start()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    squares = list(pool.map(lambda n: n * n, range(3)))
# While there are threads, newer versions advise against forking; processes are started all the same.
subprocess.run(["echo", "child"], check=True, preexec_fn=lambda: None)
child = os.fork()
if child == 0:
    return "the child's"
os.waitpid(child, 0)
return squares`.trim();

const ASYNC = `
import asyncio
async def work(n):
    await asyncio.sleep(0)
    echo = await asyncio.create_subprocess_exec("echo", str(n), stdout=-1)
    return (await echo.stdout.read()).decode() + str(await echo.wait())
async def both():
    return await asyncio.gather(work(1), work(2))
return asyncio.run(both())`.trim();

const POOLS = `
import multiprocessing
results = {}
for method in ("fork", "spawn"):
    with multiprocessing.get_context(method).Pool(1) as pool:
        results[method] = pool.map(double, [1, 2])
return results`.trim();

const DOUBLE = `
def double(n):
    return 2 * n
`;

const FAMILY = `
sleeper = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
subprocess.Popen([sys.executable, "-S", "-c", sleeper], start_new_session=True)
exec(sleeper)`.trim();

(pythons.length > 0 ? describe : describe.skip).each(pythons)('Python $version', ({ version, python }) => {
  it('passes the tests of our modules', () => {
    const args = ['-B', '-W', 'error::DeprecationWarning', '-m', 'unittest', 'discover', '-s', '.', '-t', '.'];
    const { status, stderr } = spawnSync(python, args, { cwd: RUNNER_PYTHON_MODULES, encoding: 'utf8' });
    expect([stderr.slice(-2000), status]).toEqual([expect.stringContaining('OK'), 0]);
  });

  describe.each([
    ['a warm worker', true],
    ['an interpreter of its own', false],
  ])('in %s', (_, warmWorkers) => {
    const pack = new PythonPack({ warmWorkers, python });
    afterAll(() => pack.remove());

    it('runs the action', async () => {
      const { result } = await pack.run('return ["%d.%d" % sys.version_info[:2], os.getppid()]');
      const [ran, parent] = result['result'] as [string, number];
      expect([ran, parent === process.pid]).toEqual([version, !warmWorkers]);
    });

    it.each<[string, string, string, unknown]>([
      ['a value', 'return {"a": [1, None, 2.5, "ž"]}', 'succeeded', { a: [1, null, 2.5, 'ž'] }],
      ['a flag with a value', 'return (True, {"a": 1})', 'succeeded', { a: 1 }],
      ['a refusal', 'return (False, "refused")', 'failed', 'refused'],
      [
        'values that JSON does not have',
        'return [float("nan"), 1e400, 2**64]',
        'succeeded',
        [null, null, String(2n ** 64n)],
      ],
      ['the names of our modules', NAMES, 'succeeded', [true, true, true]],
      ['asyncio', ASYNC, 'succeeded', ['1\n0', '2\n0']],
      ['the results of its process pools', POOLS, 'succeeded', { fork: [2, 4], spawn: [2, 4] }],
    ])('may return %s', async (_name, body, status, result) => {
      expect(await pack.start(pack.action(body, DOUBLE)).handle.result).toEqual({
        status,
        result: { stdout: '', stderr: '', exit_code: 0, result },
        truncated: false,
      });
    });

    it.each<[string, number, RegExp]>([
      ['return ("yes", 5)', 220, /must either be True or False, got: yes/],
      ['raise ValueError("no good")', 1, /^Traceback[^\n]*\n {2}File ".*action_\d+.py"[^]*ValueError: no good\n$/],
      ['import nothing_of_that_name', 1, /ModuleNotFoundError: No module named 'nothing_of_that_name'\n$/],
      ['return self.config["window"]', 1, /ValueError: Config for pack "garden" is missing key "window"/],
      ['sys.exit(6)', 6, /^$/],
    ])('fails where the action does `%s`', async (body, code, stderr) => {
      const { status, result } = await pack.run(body);
      expect({ status, ...result }).toMatchObject({
        status: 'failed',
        exit_code: code,
        result: 'None',
        stderr: expect.stringMatching(stderr) as string,
      });
    });

    it('receives parameters and configuration, and returns output and logs', async () => {
      const body =
        'self.logger.debug("fine"); self.logger.audit("last"); print("said"); print("aside", file=sys.stderr)\nreturn [given, self.config["door"]]';
      const trial = { actionParameters: { n: 1, s: 'ü' }, abilities: { packConfig: async () => ({ door: 'green' }) } };
      expect((await pack.run(body, trial)).result).toEqual({
        stdout: 'said\n',
        stderr: 'st2.actions.python.Weed: DEBUG    fine\nst2.actions.python.Weed: AUDIT    last\naside\n',
        exit_code: 0,
        result: [{ n: 1, s: 'ü' }, 'green'],
      });
    });

    it('can call the API', async () => {
      const api: Server = createServer((request, response) => {
        response.end(JSON.stringify({ value: `${request.method} ${request.url}` }));
      });
      await once(api.listen(0, '127.0.0.1'), 'listening');
      const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`;
      const environment = actionEnvironment({ pack: 'garden', executionId: '1', apiUrl, authToken: 'token' });
      const { result } = await pack.run('return self.action_service.get_value("a")', { environment });
      api.close();
      expect(result['result']).toBe('GET /v1/keys/garden.Weed%3Aa');
    });

    it('can use threads and forked children', async () => {
      const { status, result } = await pack.run(THREADS);
      expect({ status, ...result, stdout: (result['stdout'] as string).split('\n').sort() }).toEqual({
        status: 'succeeded',
        stdout: ['', 'child', 'thread'],
        stderr: '',
        exit_code: 0,
        result: [0, 1, 4],
      });
    });

    it('flushes open files at the end', async () => {
      const file = join(pack.root, `left-${warmWorkers}`);
      const body = `global left\nleft = open(${JSON.stringify(file)}, "w")\nleft.write("over")\nreturn left.closed`;
      expect((await pack.run(body)).result['result']).toBe(false);
      expect(readFileSync(file, 'utf8')).toBe('over');
    });

    it('is killed with all its descendants when canceled', async () => {
      let printed = '';
      const complete = deferred();
      const output = (_type: string, chunk: Buffer | string) => {
        printed += chunk.toString();
        if (printed.split('\n').length === 3) complete.resolve();
      };
      const { handle } = pack.start(pack.action(FAMILY), { abilities: { output } });
      await complete.promise;
      handle.cancel();
      expect((await handle.result).status).toBe('canceled');
      expect(printed.trim().split('\n').map(Number).map(isAlive)).toEqual([false, false]);
    });

    it('is killed on a timeout', async () => {
      const { status, result } = await pack.run('time.sleep(600)', { parameters: { timeout: 0.1 } });
      expect([status, result['exit_code']]).toEqual(['timeout', -9]);
    });
  });
});
