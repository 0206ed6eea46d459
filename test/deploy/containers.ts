import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/workspace';
import { imageEntrypoint, imageEnvironment, imagePrograms, type Container } from './deployment-files';

/** A replacement for something that exists only in a container, such as an address. */
export type Replacements = readonly (readonly [inContainer: string, here: string])[];

/** A container of the compose file, run as local processes. */
export interface RunningContainer {
  readonly name: string;
  readonly child: ChildProcess;
  output(): string;
  /** Runs its health check. */
  isHealthy(): Promise<boolean>;
  /** Runs a program in its environment, like `docker compose exec`. */
  exec(command: readonly string[]): Promise<{ code: number | null; output: string }>;
  /** @returns the exit code */
  stop(): Promise<number | null>;
  /** Stops whatever is left of it. */
  kill(): void;
}

export interface Machine {
  readonly directory: string;
  /** The directory with the programs of the image. */
  readonly bin: string;
  readonly replacements: Replacements;
  /** Additional options for what a container would not share, such as its ports. */
  readonly ports: Readonly<Record<string, string>>;
  /** Options that do not apply to the servers of this test. */
  readonly without: readonly string[];
  readonly hasTini: boolean;
}

/** Starts what the container would start: the entry point of the image with the command and environment as written. */
export function startContainer(name: string, container: Container, machine: Machine, copy = 0): RunningContainer {
  const directory = join(machine.directory, `${name}-${copy}`);
  mkdirSync(directory);
  const context = { cwd: directory, env: environmentOf(container, machine, directory) };
  const logFile = join(directory, 'log');
  const [file = '', ...args] = commandLine(container, machine);
  const log = openSync(logFile, 'a');
  const child = spawn(file, args, { ...context, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    name,
    child,
    output: () => readFileSync(logFile, 'utf8'),
    exec: (command) => runIn(context, command),
    async isHealthy() {
      const [kind, ...test] = container.healthcheck?.test ?? [];
      if (kind !== 'CMD') throw new Error(`${name} has no health check`);
      return (await runIn(context, test)).code === 0;
    },
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    },
  };
}

function commandLine(container: Container, { hasTini }: Machine): string[] {
  const command = [...(container.entrypoint ?? imageEntrypoint()), ...(container.command ?? [])];
  return hasTini || command[0] !== 'tini' ? command : command.slice(2);
}

async function runIn(
  context: { cwd: string; env: Record<string, string> },
  [program = '', ...args]: readonly string[],
) {
  const child = spawn(program, args, { ...context, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

function environmentOf(container: Container, machine: Machine, home: string): Record<string, string> {
  const options = Object.entries({ ...imageEnvironment(), ...container.environment })
    .filter(([name]) => !machine.without.includes(name))
    .map(([name, value]) => [
      name,
      machine.replacements.reduce((text, [from, to]) => text.replaceAll(from, to), value),
    ]);
  return {
    ...(Object.fromEntries(options) as Record<string, string>),
    ...machine.ports,
    PATH: `${machine.bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    // In a container tini is process 1, which reaps by default.
    TINI_SUBREAPER: '1',
  };
}

/** Puts the programs of the image into a directory. @returns the directory, for PATH */
export function installPrograms(directory: string): string {
  const bin = join(directory, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, target] of Object.entries(imagePrograms())) {
    // Compiled files are not executable until the image makes them so.
    writeFileSync(join(bin, name), `#!/bin/sh\nexec node '${join(ROOT, target)}' "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}
