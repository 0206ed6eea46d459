import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const MODULE = join(__dirname, '../dist/young-generation.js');

/** Keeps many objects, as loading modules does. @returns the megabytes of the space of young objects, before and after */
function sizes(then: string): number[] {
  const program = `
    const { getHeapSpaceStatistics } = require('node:v8');
    const { holdYoungGeneration, releaseYoungGeneration } = require(${JSON.stringify(MODULE)});
    const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
    const kept = [];
    const fill = () => { for (let n = 0; n < 500_000; n++) kept.push({ n }); return size(); };
    const before = size();
    ${then}
    console.log(JSON.stringify([before, ...sizes]));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as number[];
}

describe('the space of young objects', () => {
  it('does not grow while it is held, and grows again afterwards', () => {
    const [before = 0, held = 0, released = 0] = sizes(
      'holdYoungGeneration(); const sizes = [fill()]; releaseYoungGeneration(); sizes.push(fill());',
    );
    expect(held).toBeLessThanOrEqual(2 * before);
    expect(released).toBeGreaterThanOrEqual(4 * held);
  });

  it('grows without that', () => {
    const [before = 0, after = 0] = sizes('const sizes = [fill()];');
    expect(after).toBeGreaterThanOrEqual(8 * before);
  });
});
