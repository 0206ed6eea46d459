import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { reviewValues } from '../../src/forms/review-values';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'svc-review-'))));
afterEach(() => rmSync(directory, { recursive: true }));

/** A user at a terminal who gives these answers in order. */
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

/** An editor that replaces its file with these texts in order, and records what it was given. */
function editorOf(...texts: string[]): string {
  texts.forEach((text, index) => writeFileSync(join(directory, `text${index}`), text));
  const script = `cat "$1" > '${directory}/seen'; ls -l "$1" | cut -c1-10 > '${directory}/mode'
n=$(cat '${directory}/count' 2>/dev/null || echo 0); cp '${directory}/text'$n "$1"; echo $((n + 1)) > '${directory}/count'`;
  writeFileSync(join(directory, 'editor'), script);
  return `sh '${directory}/editor'`;
}
const kept = (name: string) => readFileSync(join(directory, name), 'utf8');

describe('reviewValues', () => {
  it.each([[['', '']], [['no', 'yes']]])(
    'returns the values unchanged without a review, for the answers %j',
    async (answers) => {
      expect(await reviewed(answers)).toEqual({ region: 'north', yes: 'no' });
    },
  );

  it('returns values that were edited', async () => {
    expect(await reviewed(['y', ''], editorOf('region: south\nport: 80\n'))).toEqual({ region: 'south', port: 80 });
    expect(kept('seen')).toBe("region: north\n'yes': 'no'\n");
    expect(kept('mode')).toBe('-rw-------\n');
  });

  it('edits again after a text that cannot be parsed', async () => {
    expect(await reviewed(['y', '', 'y', ''], editorOf('a: [', '- a\n', 'a: 1\n'))).toEqual({ a: 1 });
  });

  it('keeps the original values if an invalid edit is not corrected', async () => {
    expect(await reviewed(['y', 'n', ''], editorOf('a: ['))).toEqual({ region: 'north', yes: 'no' });
  });

  it('saves nothing if the user declines or the editor fails', async () => {
    await expect(reviewed(['', 'n'])).rejects.toThrow('Nothing was saved.');
    await expect(reviewed(['y'], 'false')).rejects.toThrow('The editor "false" failed. Nothing was saved.');
  });
});
