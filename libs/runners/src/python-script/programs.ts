import { join, resolve } from 'node:path';

/** The Python modules that packs import, and the program that runs a Python action. */
export const PYTHON_MODULES = resolve(__dirname, '../../../../python');
export const RUN_ACTION = join(PYTHON_MODULES, 'run_action.py');
