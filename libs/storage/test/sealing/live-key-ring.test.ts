import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handClock } from '@switchyard/testkit/platform';
import { createSealer, formatKeyRing, liveKeyRing, newKeyRing, type KeyRing } from '../../src';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'svc-live-'));
  path = join(directory, 'keys.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(text: string): void {
  writeFileSync(`${path}.draft`, text);
  renameSync(`${path}.draft`, path);
}

const [first, second] = [newKeyRing(), newKeyRing()];
const both: KeyRing = { current: second.current, keys: { ...first.keys, ...second.keys } };

function opened() {
  write(formatKeyRing(first));
  const clock = handClock();
  const problems: string[] = [];
  const onProblem = (reason: string) => void problems.push(reason);
  const keys = liveKeyRing({ path, first, onProblem, monotonicMs: clock.monotonicMs });
  return { keys, clock, problems, sealer: createSealer(keys) };
}

const keyOf = (envelope: string) => envelope.split('.')[1];

it('a new current key seals within a second of the change', () => {
  const { sealer, clock } = opened();
  expect(keyOf(sealer.seal('x'))).toBe(first.current);
  write(formatKeyRing(both));
  clock.advance(1000);
  expect(keyOf(sealer.seal('x'))).toBe(second.current);
});

it('a value under an unknown key is opened at once if the file contains the key by then', () => {
  const { sealer } = opened();
  const sealed = createSealer(second).seal('hush');
  expect(() => sealer.open(sealed)).toThrow(`"${second.current}", which is not in the key file`);
  write(formatKeyRing(both));
  expect(sealer.open(sealed)).toBe('hush');
});

it('a removed key still opens what was read before', () => {
  const { sealer, keys } = opened();
  const sealed = sealer.seal('hush');
  write(formatKeyRing(second));
  expect(keys.reread().current).toBe(second.current);
  expect(sealer.open(sealed)).toBe('hush');
  expect(keyOf(sealer.seal('x'))).toBe(second.current);
});

it.each([
  ['is gone', () => rmSync(path), /ENOENT/],
  ['cannot be parsed', () => write('{"current":'), /expected a JSON object/],
])('the known keys stay in use while the file %s, which is reported once', (_, damage, reason) => {
  const { sealer, clock, problems } = opened();
  sealer.seal('x');
  damage();
  for (let look = 0; look < 3; look++) {
    clock.advance(1000);
    expect(keyOf(sealer.seal('x'))).toBe(first.current);
  }
  expect(problems).toEqual([expect.stringMatching(reason)]);
  write(formatKeyRing(both));
  clock.advance(1000);
  expect(keyOf(sealer.seal('x'))).toBe(second.current);
});
