import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { defaultDataLimits } from '@switchyard/base';
import { leakCheck, untilGone } from '@switchyard/testkit/system';
import { NODE_RUNNER } from '../src/programs';

const later = leakCheck();
const PROCESS = join(__dirname, '../dist/process/sensor-process.js');

/** A stand-in for a container: starts one sensor process, and prints its output. */
const holder = (file: string) => `
  const { startSensorProcess } = require(${JSON.stringify(PROCESS)});
  startSensorProcess({
    launch: { program: process.execPath, args: [${JSON.stringify(NODE_RUNNER)}], environment: {}, file: ${JSON.stringify(file)} },
    start: { type: 'start', pack: 'tests', class_name: 'Probe', file_path: ${JSON.stringify(file)}, config: {}, log_level: 'INFO' },
    environment: process.env, mark: 'death-' + process.pid, graceMs: 300, limits: ${JSON.stringify(defaultDataLimits)},
    onCall: async () => null, onReady: () => undefined, onLog: console.error, onPrint: (_, line) => console.log(line),
  });`;

const stubborn = `
const { spawn } = require('node:child_process');
exports.Probe = class {
  async run() {
    process.removeAllListeners('SIGTERM');
    process.on('SIGTERM', () => undefined);
    const child = spawn('sh', ['-c', "trap '' TERM; sleep 600; sleep 600"], { detached: true, stdio: 'ignore' });
    console.log(process.pid + ' ' + child.pid);
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (;;);
  }
};`;

it('Sensors end with a killed container, even one that hangs and has left its process group', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-test-'));
  later(() => rm(directory, { recursive: true }));
  const file = join(directory, 'probe.js');
  await writeFile(file, stubborn);
  const container = spawn(process.execPath, ['-e', holder(file)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: container.stdout });
  const [line] = (await new Promise<string[]>((resolve) => lines.once('line', (text) => resolve([text])))) as [string];
  container.kill('SIGKILL');
  await Promise.all(line.split(' ').map((pid) => untilGone(Number(pid))));
});
