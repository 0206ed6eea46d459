import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../processes';
import { nodePack } from './node-fixture';

const pack = nodePack();
afterAll(() => pack.remove());
const { write, action, run, start } = pack;

const ended = (result: unknown, more: object = {}) => ({ stdout: '', stderr: '', exit_code: 0, result, ...more });

const CLASS = 'constructor(service, config) { this.config = config; } run({ n }) { return [n, this.config.k]; }';

describe('the export of a JavaScript action can be', () => {
  const withConfig = { actionParameters: { n: 5 }, abilities: { packConfig: async () => ({ k: 'v' }) } };

  it.each([
    ['a function', 'function.js', 'module.exports = ({ n }, service, config) => [n, config.k];'],
    ['a class', 'class.js', `module.exports = class { ${CLASS} };`],
    ['a class in an ES module', 'class.mjs', `export default class { ${CLASS} }`],
    ['a function in an ES module', 'function.mjs', 'export default async ({ n }, service, config) => [n, config.k];'],
    ['a CommonJS module', 'plain.cjs', `module.exports = class { ${CLASS} };`],
    [
      'a default export as compilers write it',
      'compiled.js',
      `exports.__esModule = true; exports.default = class { ${CLASS} };`,
    ],
  ])('%s', async (_name, file, text) => {
    expect(await run(write(file, text), withConfig)).toEqual({
      status: 'succeeded',
      result: ended([5, 'v']),
      truncated: false,
    });
  });

  it.each(['js', 'mjs', 'cjs'])('runs the compiled file next to a TypeScript entry point (.%s)', async (type) => {
    write(`typed-${type}.${type}`, type === 'mjs' ? 'export default () => "ran"' : 'module.exports = () => "ran"');
    const entryPoint = write(`typed-${type}.ts`, 'not even read');
    expect((await run(entryPoint)).result).toEqual(ended('ran'));
  });

  it.each([
    ['is missing', 'missing.js', /^The action "default.a" has no file "\S+\/missing.js"/],
    ['was not compiled', 'lonely.ts', /has no file "\S+\/lonely.js". Compile TypeScript sources/],
    ['is in another language', 'script.py', /must end in .js, .mjs, .cjs or .ts.$/],
  ])('fails when the file %s', async (_name, file, error) => {
    write('lonely.ts', '');
    const { status, result } = await run(file);
    expect({ status, error: result['error'] }).toEqual({
      status: 'failed',
      error: expect.stringMatching(error) as string,
    });
  });

  it.each([
    ['exports nothing', 'module.exports = 5;', /has no default export that is a class or a function/],
    ['cannot be read', 'oops(', /SyntaxError/],
    ['fails when it is loaded', 'throw new Error("early")', /early/],
  ])('fails when the file %s', async (_name, text, stderr) => {
    expect(await run(write('broken.js', text))).toMatchObject({
      status: 'failed',
      result: { exit_code: 1, result: null, stderr: expect.stringMatching(stderr) as string },
    });
  });
});

describe('a JavaScript action', () => {
  it.each([
    ['a value', 'return { a: [1, null] }', 'succeeded', { a: [1, null] }],
    ['nothing', '', 'succeeded', null],
    ['a function, which is not a value', 'return () => 1', 'succeeded', null],
    ['a list that looks like a status', 'return [false, 1]', 'succeeded', [false, 1]],
    [
      'what JSON cannot represent',
      'const a = { n: 1 }; a.a = a; return a',
      'succeeded',
      expect.stringContaining('[Circular *1]'),
    ],
    ['a big number', 'return 10n ** 20n', 'succeeded', '100000000000000000000n'],
    ['a failure', 'return service.failed({ reason: "no" })', 'failed', { reason: 'no' }],
    ['a failure without a result', 'return service.failed()', 'failed', null],
    ['a success', 'return service.succeeded(1)', 'succeeded', 1],
    ['its parameters', 'return parameters', 'succeeded', {}],
    ['text outside of ASCII', 'return "čau\\n🎉"', 'succeeded', 'čau\n🎉'],
  ])('can return %s', async (_name, body, status, result) => {
    expect(await run(action(body))).toEqual({ status, result: ended(result), truncated: false });
  });

  it.each([
    ['an exception', 'throw new Error("boom")', 1, /Error: boom\n\s+at /],
    ['an exception that is not an error', 'throw { code: 5 }', 1, /{ code: 5 }/],
    ['an unhandled rejection', 'Promise.reject(new Error("lost")); await new Promise(setImmediate)', 1, /lost/],
    [
      'an exception outside',
      'setImmediate(() => { throw new Error("outside") }); await new Promise(() => setInterval(() => {}, 1000))',
      1,
      /outside/,
    ],
    ['a promise that never settles', 'await new Promise(() => {})', 1, /waiting for a promise that can never settle/],
    ['an exit code', 'process.exit(4)', 4, /^$/],
  ])('fails after %s', async (_name, body, code, stderr) => {
    expect(await run(action(body))).toEqual({
      status: 'failed',
      result: ended(null, { exit_code: code, stderr: expect.stringMatching(stderr) as string }),
      truncated: false,
    });
  });

  it('ends when its function returns, even with timers pending', async () => {
    expect((await run(action('setInterval(() => {}, 1000); return 1'))).result).toEqual(ended(1));
  });

  it('does not wait for background processes', async () => {
    const body = `const child = require('child_process').spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', 3] });
      child.unref(); return child.pid;`;
    const { result } = await run(action(body));
    expect(isAlive(result['result'] as number)).toBe(true);
    process.kill(result['result'] as number);
  });

  it.each([
    ['[[[[[1]]]]]', [[[[[1]]]]]],
    ['[[[[[[1]]]]]]', expect.stringMatching(/^\[{6}1\]{6}\n\[kept as text: .*limits\.max_depth\)\]$/)],
    ['new Array(11).fill(0)', expect.stringMatching(/\[kept as text: .*limits\.max_members\)\]$/)],
    ['({ "a\\0": 1 })', expect.stringMatching(/\[kept as text: .* has a key with a NUL character\]$/)],
    ['"x".repeat(41)', `${'x'.repeat(40)}\n[output truncated: 40 bytes kept (limits.max_string_length)]`],
  ])('returns text with a note when %s exceeds a limit', async (value, result) => {
    const data = { maxDepth: 5, maxMembers: 10, maxKeyLength: 8, maxStringLength: 40 };
    const ended = await run(action(`return ${value}`), { settings: { data } });
    expect([ended.status, ended.result['result']]).toEqual(['succeeded', result]);
  });

  it('can return a large result, up to a limit', async () => {
    const [fits, does_not] = await Promise.all([
      run(action('return "x".repeat(5_000_000)')),
      run(action('return "x".repeat(20_000_000)')),
    ]);
    expect([fits.status, (fits.result['result'] as string).length]).toEqual(['succeeded', 5_000_000]);
    expect(does_not).toMatchObject({
      status: 'failed',
      result: { result: null, error: 'The result is larger than 16 MiB.' },
    });
  });
});

describe('the process of a JavaScript action', () => {
  it('passes its output on unchanged, with its log messages', async () => {
    const body = `console.log('{"a": 1}'); console.error('oops');
      service.logger.debug('d'); service.logger.info('i'); service.logger.warn('w'); service.logger.error('e');`;
    const prefix = 'actions.node.default.act:';
    expect((await run(action(body), { parameters: { log_level: 'WARNING' } })).result).toEqual(
      ended(null, { stdout: '{"a": 1}\n', stderr: `oops\n${prefix} WARNING w\n${prefix} ERROR e\n` }),
    );
  });

  it.each([
    ['env', 'process.env.MOOD + process.env.COUNT', { env: { MOOD: 'wild', COUNT: 2 } }, 'wild2'],
    ['what every action gets', 'process.env.ST2_ACTION_PACK_NAME', {}, 'default'],
    ['the id of the execution', 'typeof service.executionId', {}, 'string'],
    ['an empty standard input', `require('fs').readFileSync(0, 'utf8')`, {}, ''],
  ])('has access to %s', async (_name, expression, parameters, result) => {
    expect((await run(action(`return ${expression}`), { parameters })).result['result']).toBe(result);
  });

  it('hides parameters and configuration from other processes', async () => {
    const running = start(action('console.log("here"); setInterval(() => {}, 1000); await new Promise(() => {})'), {
      actionParameters: { password: 'hush-hush' },
      abilities: { packConfig: async () => ({ token: 'hush-hush' }) },
    });
    const { pid } = await running.started;
    await says(running, 'here');
    const shown = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join();
    running.handle.cancel();
    await running.handle.result;
    expect(shown).toContain('--action=default.a');
    expect(shown).not.toContain('hush-hush');
  });

  it('fails when the pack configuration is unavailable', async () => {
    const abilities = { packConfig: () => Promise.reject(new Error('no such item')) };
    expect(await run(action(''), { abilities })).toMatchObject({ status: 'failed', result: { error: 'no such item' } });
  });

  it('is killed with its descendants on a timeout', async () => {
    const body = `const { pid } = require('child_process').spawn('sleep', ['60'], { detached: true });
      console.log(pid); await new Promise(() => {})`;
    const { status, result } = await run(action(body), { parameters: { timeout: 2 } });
    // On a busy machine the timeout may fire before any process starts.
    expect({ status, ...result }).toEqual({
      status: 'timeout',
      ...ended(null, { stdout: expect.stringMatching(/^(\d+\n)?$/) as string, exit_code: -9 }),
      error: 'Action failed to complete in 2 seconds',
    });
    const pids = [...(result['stdout'] as string).matchAll(/\d+/g)].map(([digits]) => Number(digits));
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('explains why it cannot run in another version of its pack', async () => {
    const entryPoint = action('');
    const { status, result } = await run(entryPoint, { parameters: { content_version: 'v1' } });
    expect(status).toBe('failed');
    expect(result['error']).toMatch(/^Failed to create git worktree for pack "default"/);
  });

  it('imports modules of its pack', async () => {
    write('lib.js', 'exports.double = (n) => 2 * n;');
    const entryPoint = action(`return require('./lib').double(21) + require('path').sep + __dirname`);
    expect((await run(entryPoint)).result['result']).toBe(`42/${join(pack.packDirectory, 'actions')}`);
  });
});

async function says({ output }: { output: { stdout: string } }, text: string): Promise<void> {
  while (!output.stdout.includes(text)) await new Promise(setImmediate);
}
