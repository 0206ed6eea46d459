import { resolve } from 'node:path';
import { listedDifferences } from './vectors/listed-differences';
import { runFile, VECTOR_KINDS, vectorFiles } from './vectors/run-vectors';

const MINUTES = 60_000;
const FOLDER = resolve(__dirname, 'recorded');
const found = vectorFiles(FOLDER);

it('every kind of vector has a list of differences', () => {
  expect(Object.keys(listedDifferences).sort()).toEqual(VECTOR_KINDS.map(({ name }) => name).sort());
});

describe('the recorded vectors', () => {
  it.each(found.map(({ kind, file }) => [file, kind] as const))(
    'in %s have the same results, except for listed differences',
    (file, kind) => {
      const { passed, failed, listed, stale } = runFile(kind, FOLDER, file);
      console.info(`${file}: ${passed} passed, ${listed.length} listed differences`);
      expect({ failed: failed.slice(0, 20), more: Math.max(0, failed.length - 20), stale }).toEqual({
        failed: [],
        more: 0,
        stale: [],
      });
      expect(passed).toBeGreaterThan(0);
    },
    2 * MINUTES,
  );
});
