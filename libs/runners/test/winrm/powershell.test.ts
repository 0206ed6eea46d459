import { until } from '../contract/runner-adapter';
import { isAlive } from '../processes';
import { errorText } from '../../src/winrm/host-output';
import { powershellLiteral, scriptText } from '../../src/winrm/powershell/script-text';
import { access, closeAll, endpoint, packWith, run, start } from './winrm-fixture';

afterEach(closeAll);

describe('a PowerShell literal', () => {
  it.each([
    [null, '$null'],
    [undefined, '$null'],
    [true, '$true'],
    [false, '$false'],
    [0, '0'],
    [-1.5, '-1.5'],
    ['', '""'],
    ['plain', '"plain"'],
    ['$(boom) `"x"`', '"`$(boom) ```"x`"``"'],
    ['a\nb\r\tc\0', '"a`nb`r`tc`0"'],
    ['“quotes„', '"`“quotes`„"'],
    ["it's", '"it\'s"'],
    [[], '@()'],
    [[1, 'a', null, [true]], '@(1, "a", $null, @($true))'],
    [{}, '@{}'],
    [{ a: 1, 'b"c': { d: ['$x'] } }, '@{"a" = 1; "b`"c" = @{"d" = @("`$x")}}'],
  ])('represents %j', (value, text) => {
    expect(powershellLiteral(value)).toBe(text);
  });
});

describe('a script with its arguments', () => {
  const definitions = {
    second: { type: 'string', position: 1 },
    first: { type: 'string', position: 0 },
    named: { type: 'string' },
    flag: { type: 'boolean' },
  } as const;

  it('passes named arguments first, then positional ones', () => {
    const values = { second: null, named: 'a b', flag: false, first: 3 };
    expect(scriptText('go', definitions, values, '-')).toBe('& {go\n} -named "a b" -flag:$false 3 $null');
  });

  it('keeps the text before a name', () => {
    expect(scriptText('go', definitions, { named: 1, flag: true }, '/')).toBe('& {go\n} /named 1 /flag $true');
  });

  it.each([
    ['a name that is code', { 'x; boom': 1 }, '-', /"x; boom" is not a valid PowerShell parameter name/],
    ['something before a name that is code', { x: 1 }, '; boom', /"; boom" is not a valid prefix for parameter names/],
  ])('rejects %s', (_name, values, kwargOp, error) => {
    expect(() => scriptText('go', {}, values, kwargOp)).toThrow(error);
  });
});

describe('the standard error of PowerShell', () => {
  const document = (content: string) => `#< CLIXML\r\n<Objs Version="1.1.0.1" xmlns="x">${content}</Objs>`;

  it.each([
    ['plain text', 'no XML', 'no XML'],
    ['progress only', document('<Obj S="progress"><MS><S>noise</S></MS></Obj>'), ''],
    ['errors', document('<S S="Error">a &lt;b&gt;_x000D__x000A_</S><S S="Error">c_x000D__x000A_</S>'), 'a <b>\nc'],
    ['an error that is cut off', document('<S S="Error">half').replace('</Objs>', ''), 'half'],
    ['something that only looks like it', '#< CLIXML\r\nnone', '#< CLIXML\r\nnone'],
    ['only its header', '#< CLIXML\r\n', ''],
  ])('is converted to text with %s', (_name, raw, text) => {
    expect(errorText(raw)).toBe(text);
  });
});

describe('PowerShell code on a Windows host', () => {
  it('runs encoded, with readable errors', async () => {
    const host = await endpoint();
    const cmd = 'echo "ü $HOME"; echo "a < b" >&2; exit 2';
    expect(await run('winrm-ps-cmd', { ...access(host), cmd, env: { HOME: 'x' } })).toEqual({
      status: 'failed',
      result: { failed: true, succeeded: false, return_code: 2, stdout: 'ü x', stderr: 'a < b' },
      truncated: false,
    });
    expect(host.windows.commands).toEqual([cmd]);
    expect(host.messages.join()).toContain(
      `powershell -encodedcommand ${Buffer.from(cmd, 'utf16le').toString('base64')}`,
    );
  });

  it('omits progress records from its output', async () => {
    const begun = start('winrm-ps-cmd', { ...access(await endpoint()), cmd: 'echo one' });
    expect((await begun.handle.result).result).toMatchObject({ stdout: 'one', stderr: '' });
    expect(begun.output).toMatchObject({ stdout: 'one\n', stderr: '' });
  });
});

describe('a PowerShell script of a pack on a Windows host', () => {
  it.each([
    ['in UTF-8', (text: string) => Buffer.from(text)],
    ['with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['in UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ])('runs with its arguments when stored %s', async (_name, encode) => {
    const host = await endpoint();
    const { packDirectory, entry_point } = packWith(encode('echo "grüß $ARGS"'));
    const parameters = { who: { type: 'string', position: 0 }, loud: { type: 'boolean' } };
    const { status, result } = await run('winrm-ps-script', access(host), {
      packDirectory,
      action: { entry_point, parameters },
      actionParameters: { who: 'Gott', loud: true },
    });
    expect({ status, stdout: result['stdout'] }).toEqual({
      status: 'succeeded',
      stdout: 'grüß -loud:$true "Gott"',
    });
  });

  const long = (script: string) => packWith(`${script}\n# ${'long ü '.repeat(1500)}`);

  it('is copied to the host if too long for a command line, and removed afterwards', async () => {
    const host = await endpoint();
    const { packDirectory, entry_point } = long('echo "$ARGS"; exit 4');
    const trial = { packDirectory, action: { entry_point }, actionParameters: { word: 'sesame' } };
    const { status, result } = await run('winrm-ps-script', access(host), trial);
    expect({ status, result }).toMatchObject({
      status: 'failed',
      result: { return_code: 4, stdout: '-word "sesame"' },
    });
    const uploads = host.windows.commands.filter((command) => command === '(upload)');
    expect(uploads.length).toBeGreaterThan(5);
    expect(host.windows.commands.slice(uploads.length)).toEqual([expect.stringContaining('# long'), '(remove)']);
    expect(host.windows.leftovers()).toEqual([]);
    expect(host.shells.size).toBe(0);
  });

  it('is removed from the host after a timeout', async () => {
    const host = await endpoint();
    const { packDirectory, entry_point } = long('echo $$; exec sleep 1000');
    const begun = start('winrm-ps-script', access(host), { packDirectory, action: { entry_point } });
    await until(() => begun.output.stdout.includes('\n'));
    begun.handle.cancel();
    expect((await begun.handle.result).status).toBe('canceled');
    expect(isAlive(Number(begun.output.stdout))).toBe(false);
    expect(host.windows.leftovers()).toEqual([]);
    expect(host.shells.size).toBe(0);
  });

  it('fails when it cannot be copied', async () => {
    const host = await endpoint();
    host.windows.isFull = true;
    const { packDirectory, entry_point } = long('echo');
    const { status, result } = await run('winrm-ps-script', access(host), { packDirectory, action: { entry_point } });
    expect(status).toBe('failed');
    expect(result['error']).toBe('The script could not be copied to the host: No space left.');
    expect(host.shells.size).toBe(0);
  });

  it.each([
    ['has no file', 'none.ps1', /^The script "none.ps1" of the action "default.a" could not be read: .*ENOENT/],
    ['is missing', '', /^Missing entry_point action metadata attribute$/],
    ['lies outside of its pack', '../../act.ps1', /is not in its pack/],
  ])('fails when it %s', async (_name, entry_point, error) => {
    const { packDirectory } = packWith('echo');
    const { status, result } = await run('winrm-ps-script', access({ port: 1 }), {
      packDirectory,
      action: { entry_point },
    });
    expect(status).toBe('failed');
    expect(result['error']).toMatch(error);
  });
});
