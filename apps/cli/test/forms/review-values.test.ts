import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { reviewValues } from '../../src/forms/review-values';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'svc-review-'))));
afterEach(() => rmSync(directory, { recursive: true }));

/** Somebody at a terminal who gives these answers, one to each question. */
async function reviewed(answers: readonly string[], editor = 'false'): Promise<unknown> {
  const left = [...answers];
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new PassThrough();
  stderr.on('data', (text) => {
    if (/\]: $/.test(String(text))) stdin.write(`${left.shift() ?? ''}\n`);
  });
  const terminal = { env: { EDITOR: editor }, home: directory, stdin, stdout: stderr, stderr };
  const result = await reviewValues(terminal as never, 'web.yaml', { region: 'north', yes: 'no' });
  expect(left).toEqual([]);
  return result;
}

/** An editor that puts texts in place of what it is given, one after the other, and keeps that. */
function editorOf(...texts: string[]): string {
  texts.forEach((text, index) => writeFileSync(join(directory, `text${index}`), text));
  const script = `cat "$1" > '${directory}/seen'; ls -l "$1" | cut -c1-10 > '${directory}/mode'
n=$(cat '${directory}/count' 2>/dev/null || echo 0); cp '${directory}/text'$n "$1"; echo $((n + 1)) > '${directory}/count'`;
  writeFileSync(join(directory, 'editor'), script);
  return `sh '${directory}/editor'`;
}
const kept = (name: string) => readFileSync(join(directory, name), 'utf8');

describe('values are looked at before they are saved', () => {
  it.each([[['', '']], [['no', 'yes']]])('or not, with the answers %j', async (answers) => {
    expect(await reviewed(answers)).toEqual({ region: 'north', yes: 'no' });
  });

  it('in an editor, which may change them', async () => {
    expect(await reviewed(['y', ''], editorOf('region: south\nport: 80\n'))).toEqual({ region: 'south', port: 80 });
    expect(kept('seen')).toBe("region: north\n'yes': 'no'\n");
    expect(kept('mode')).toBe('-rw-------\n');
  });

  it('once more when they cannot be read', async () => {
    expect(await reviewed(['y', '', 'y', ''], editorOf('a: [', '- a\n', 'a: 1\n'))).toEqual({ a: 1 });
  });

  it('as they were, when nobody mends them', async () => {
    expect(await reviewed(['y', 'n', ''], editorOf('a: ['))).toEqual({ region: 'north', yes: 'no' });
  });

  it('and are not saved when that is declined, or the editor fails', async () => {
    await expect(reviewed(['', 'n'])).rejects.toThrow('Nothing was saved.');
    await expect(reviewed(['y'], 'false')).rejects.toThrow('The editor "false" has failed. Nothing was saved.');
  });
});
