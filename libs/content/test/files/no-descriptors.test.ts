import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFewDescriptors } from '@switchyard/testkit/few-descriptors';

/** Reads a file while no descriptors are left, and again. */
const SCRIPT = `
  const [reader, file] = args;
  const { readText } = require(reader);
  const wanted = { pack: 'p', type: 'action', file };
  fill();
  let thrown;
  try { readText(wanted); } catch (error) { thrown = error.code; }
  empty();
  console.log(JSON.stringify({ thrown, then: readText(wanted) }));
`;

it('a file that cannot be read because no descriptors are left is not taken for an invalid one', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-content-'));
  const file = join(directory, 'a.yaml');
  writeFileSync(file, 'name: a\n');
  const reader = join(__dirname, '../../dist/loaders/read-content-file.js');
  try {
    expect(withFewDescriptors(SCRIPT, reader, file)).toEqual({ thrown: 'EMFILE', then: { text: 'name: a\n' } });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
