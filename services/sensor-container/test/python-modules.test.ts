import { spawnSync } from 'node:child_process';
import { SENSOR_PYTHON_MODULES } from '../src/programs';
import { describePython } from './support/python';

describePython('The Python modules of sensors', () => {
  it('pass their own tests', () => {
    const { status, stderr } = spawnSync('python3', ['-B', '-m', 'unittest', 'discover', '-s', '.', '-t', '.'], {
      cwd: SENSOR_PYTHON_MODULES,
      encoding: 'utf8',
    });
    expect([stderr.slice(-2000), status]).toEqual([expect.stringContaining('OK'), 0]);
  });
});
