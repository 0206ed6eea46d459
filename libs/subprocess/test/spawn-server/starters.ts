import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ProcessStarter,
  type ServerInterpreter,
  type ChildRun,
  type ProcessOptions,
  type ProcessResult,
} from '@switchyard/subprocess';
import { isInstalled } from '@switchyard/testkit/needed-programs';
import { isAlive } from '../processes';

export const folder = realpathSync(mkdtempSync(join(tmpdir(), 'spawn-server-test-')));

/** Whether a server can run. Without Python, processes are started directly. */
export const hasServer = isInstalled('python3', 'tests of the spawn server');
export const describeServer = hasServer ? describe : describe.skip;
export const itOnServer = hasServer ? it : it.skip;

const starters: ProcessStarter[] = [];
let files = 0;

/** Every file that uses this module calls it once, because several test files may run as one. */
export function cleanUpStarters(): void {
  files += 1;
  afterEach(async () => {
    await Promise.all(starters.splice(0).map((starter) => starter.close()));
  });
  afterAll(() => {
    files -= 1;
    if (files === 0) rmSync(folder, { recursive: true });
  });
}

export const newMarker = () => ({ name: 'SUBPROCESS_TEST_SPAWN', value: randomUUID() });

type Limits = ConstructorParameters<typeof ProcessStarter>[1];

/** A starter that notices problems early. */
export function aStarter(python: string | ServerInterpreter = 'python3', limits: Limits = {}) {
  const starter = new ProcessStarter(python, { silentMs: 300, lookMs: 30, ...limits });
  starters.push(starter);
  const warnings: { message: string; reason: string }[] = [];
  const warn = (message: string, { reason }: Record<string, unknown>) =>
    void warnings.push({ message, reason: String(reason) });
  const start = (script: string, options: Partial<ProcessOptions> = {}): Promise<ChildRun> =>
    starter.start({ command: { script }, marker: newMarker(), ...options }, warn);
  const run = async (script: string, options?: Partial<ProcessOptions>): Promise<ProcessResult> =>
    (await start(script, options)).result;
  return { starter, warnings, start, run };
}

/** A program that replaces the interpreter. */
export function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** An interpreter that runs the server with modified functions. */
export const changedPython = (name: string, change: string): string =>
  program(
    name,
    `#!/usr/bin/env python3
import os, runpy, sys
script, owner = sys.argv[-2:]
sys.argv = [script, owner]
${change}
runpy.run_path(script, run_name="__main__")
`,
  );

export async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(5);
}
