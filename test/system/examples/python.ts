/// <reference types="jest" />

import { spawnSync } from 'node:child_process';

const isThere = spawnSync('python3', ['--version']).status === 0;
if (!isThere && process.env['CI'] === 'true') throw new Error('There is no python3, and CI has to test it.');
if (!isThere) process.stderr.write('There is no python3 on the PATH: examples in Python are left out.\n');

/** Tests that need Python. */
export const itWithPython = isThere ? it : it.skip;
