/// <reference types="jest" />

import { isInstalled } from '@switchyard/testkit/needed-programs';

/** Tests that need Python. */
export const itWithPython = isInstalled('python3', 'tests that run Python on a whole system') ? it : it.skip;
