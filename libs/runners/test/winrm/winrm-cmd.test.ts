import { deferred } from '@switchyard/base';
import { until } from '../contract/runner-adapter';
import { isAlive } from '../processes';
import { access, closeAll, endpoint, run, start } from './winrm-fixture';

afterEach(closeAll);

describe('a command on a Windows host', () => {
  it.each([
    ['succeeds', 'echo out; echo err >&2', 'succeeded', 0, { stdout: 'out', stderr: 'err' }],
    ['fails with its code', 'echo out; exit 3', 'failed', 3, { stdout: 'out', stderr: '' }],
    ['prints JSON', `echo '{"a": [1]}'`, 'succeeded', 0, { stdout: { a: [1] }, stderr: '' }],
    ['ends its lines like Windows', `printf 'a\\r\\nb\\r\\n'`, 'succeeded', 0, { stdout: 'a\r\nb', stderr: '' }],
    [
      'prints characters with a meaning in XML',
      `echo 'ü <&"> ]]>'`,
      'succeeded',
      0,
      { stdout: 'ü <&"> ]]>', stderr: '' },
    ],
  ])('%s', async (_name, cmd, status, return_code, output) => {
    const host = await endpoint();
    expect(await run('winrm-cmd', { ...access(host), cmd })).toEqual({
      status,
      result: { failed: status !== 'succeeded', succeeded: status === 'succeeded', return_code, ...output },
      truncated: false,
    });
    expect(host.windows.commands).toEqual([cmd]);
    expect(host.shells.size).toBe(0);
    expect([...new Set(host.actions)]).toEqual(['Create', 'Command', 'Receive', 'Signal', 'Delete']);
  });

  it('runs with its directory and environment, in UTF-8', async () => {
    const host = await endpoint();
    const env = { GREETING: 'grüß <Gott>', COUNT: 3 };
    const cmd = 'pwd; echo "$GREETING $COUNT"';
    const { result } = await run('winrm-cmd', { ...access(host), cmd, cwd: '/', env });
    expect(result['stdout']).toBe('/\ngrüß <Gott> 3');
    expect(host.messages[0]).toContain('<w:Option Name="WINRS_CODEPAGE">65001</w:Option>');
  });

  it('passes its output on as it arrives', async () => {
    const host = await endpoint();
    const begun = start('winrm-cmd', { ...access(host), cmd: 'echo one; echo $$; exec sleep 1000' });
    await until(() => /^one\n\d+\n$/.test(begun.output.stdout));
    begun.handle.cancel();
    expect((await begun.handle.result).result['stdout']).toMatch(/^one\n\d+$/);
  });

  it('reads all of a large output and keeps the start', async () => {
    const host = await endpoint();
    const cmd = 'head -c 1000000 /dev/zero | tr "\\0" x; echo no >&2';
    const begun = start('winrm-cmd', { ...access(host), cmd }, { settings: { maxOutputBytes: 1000 } });
    const { status, result, truncated } = await begun.handle.result;
    expect({ status, truncated }).toEqual({ status: 'succeeded', truncated: true });
    expect(result['stdout']).toBe(`${'x'.repeat(1000)}\n[output truncated: 1000 of 1000000 bytes kept]`);
    expect(result['stderr']).toBe('no');
    expect(begun.output.stdout).toHaveLength(1_000_000);
  });

  it('does not split characters between two chunks', async () => {
    const host = await endpoint();
    // The host returns at most 50,000 bytes at a time.
    const begun = start('winrm-cmd', { ...access(host), cmd: 'head -c 49999 /dev/zero | tr "\\0" x; printf ü' });
    expect((await begun.handle.result).status).toBe('succeeded');
    expect(begun.output.stdout.slice(-2)).toBe('xü');
  });

  it('is ended on a timeout and keeps its output', async () => {
    const host = await endpoint();
    const { status, result } = await run('winrm-cmd', { ...access(host), cmd: 'echo $$; exec sleep 1000', timeout: 2 });
    expect({ status, result }).toEqual({
      status: 'timeout',
      result: {
        failed: true,
        succeeded: false,
        return_code: -1,
        stdout: expect.any(Number) as number,
        stderr: '',
        error: 'Action failed to complete in 2 seconds',
      },
    });
    expect(isAlive(result['stdout'] as number)).toBe(false);
    expect(host.actions.slice(-2)).toEqual(['Signal', 'Delete']);
    expect(host.shells.size).toBe(0);
  });

  it('is ended when canceled', async () => {
    const host = await endpoint();
    const { handle, output, warnings } = start('winrm-cmd', { ...access(host), cmd: 'echo $$; exec sleep 1000' });
    await until(() => output.stdout.includes('\n'));
    handle.cancel();
    handle.cancel();
    const { status, result } = await handle.result;
    expect({ status, code: result['return_code'] }).toEqual({ status: 'canceled', code: -1 });
    expect(isAlive(Number(output.stdout))).toBe(false);
    expect(host.shells.size).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('is never started when canceled immediately', async () => {
    const host = await endpoint();
    const { handle } = start('winrm-cmd', { ...access(host), cmd: 'echo' });
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(host.windows.commands).toEqual([]);
    expect(host.shells.size).toBe(0);
  });

  it('closes a shell that the host opens too late', async () => {
    const [asked, canceled] = [deferred<void>(), deferred<void>()];
    const host = await endpoint({
      async instead(action) {
        if (action !== 'Create') return false;
        asked.resolve();
        await canceled.promise;
        return false;
      },
    });
    const { handle } = start('winrm-cmd', { ...access(host), cmd: 'echo' }, { settings: { graceMs: 60_000 } });
    await asked.promise;
    handle.cancel();
    canceled.resolve();
    expect((await handle.result).status).toBe('canceled');
    expect(host.windows.commands).toEqual([]);
    expect(host.actions).toEqual(['Create', 'Delete']);
  });

  it('gives up on a host that does not respond', async () => {
    const asked = deferred<void>();
    const host = await endpoint({
      instead: (action) => {
        asked.resolve();
        return action === 'Create';
      },
    });
    const { handle } = start('winrm-cmd', { ...access(host), cmd: 'echo' }, { settings: { graceMs: 1 } });
    await asked.promise;
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
  });

  it('logs a failure to end it', async () => {
    const host = await endpoint({
      instead: (action, response) => action === 'Delete' && !!response.writeHead(503).end(),
    });
    const { handle, warnings } = start('winrm-cmd', { ...access(host), cmd: 'echo done' });
    expect(await handle.result).toMatchObject({ status: 'succeeded', result: { stdout: 'done' } });
    expect(warnings).toEqual(['A shell on a host could not be closed.']);
  });

  it('fails with the error of the host, without secrets', async () => {
    const host = await endpoint();
    const { status, result } = await run(
      'winrm-cmd',
      { ...access(host), cmd: 'refuse sesame' },
      {
        action: { parameters: { word: { type: 'string', secret: true } } },
        actionParameters: { word: 'sesame' },
      },
    );
    expect({ status, result }).toEqual({
      status: 'failed',
      result: {
        failed: true,
        succeeded: false,
        error: `The host 127.0.0.1:${host.port} refused to start the command: The host does not like "refuse ********". (code 5)`,
      },
    });
    expect(host.shells.size).toBe(0);
  });

  it.each([
    ['has no command', {}, /has no value for its parameter "cmd"/],
    ['has a character that XML does not allow', { cmd: 'a\u0001' }, /cannot contain the character U\+0001/],
  ])('fails when it %s', async (_name, parameters, error) => {
    const host = await endpoint();
    const { status, result } = await run('winrm-cmd', { ...access(host), ...parameters });
    expect(status).toBe('failed');
    expect(result['error']).toMatch(error);
    expect(host.windows.commands).toEqual([]);
  });
});
