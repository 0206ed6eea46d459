import { join, resolve } from 'node:path';

const PACKAGE = resolve(__dirname, '..');

/** The Python modules that packs import, and the program that runs a Python sensor. */
export const SENSOR_PYTHON_MODULES = resolve(PACKAGE, '../../python');
export const PYTHON_RUNNER = join(SENSOR_PYTHON_MODULES, 'run_sensor.py');

/** The program that runs a JavaScript sensor: always the compiled file. */
export const NODE_RUNNER = join(PACKAGE, 'dist/node-sensor/main.js');
