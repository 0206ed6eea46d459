import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const DIST = join(__dirname, '../../dist');

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running extends Promise<Finished> {
  /** Resolves once stdout contains the text. */
  printed(text: string): Promise<void>;
}

export interface RunningProcess extends Running {
  readonly child: ChildProcessWithoutNullStreams;
}

/** Starts the built command as a process of its own, for tests of signals, of closed streams, and of processes that it starts. */
export function startSvc(args: readonly string[], env: Record<string, string>, input = ''): RunningProcess {
  checkBuilt();
  const program = join(DIST, 'main.js');
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  const stdout = new Printed();
  let stderr = '';
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  child.stdout.on('data', (piece) => stdout.add(String(piece)));
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: stdout.text, stderr }));
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return Object.assign(finished, { child, printed: (text: string) => stdout.has(text) });
}

/** What a command has printed so far. */
class Printed {
  text = '';
  readonly #changed = new EventEmitter();

  add(piece: string): void {
    this.text += piece;
    this.#changed.emit('change');
  }

  async has(text: string): Promise<void> {
    while (!this.text.includes(text)) await once(this.#changed, 'change');
  }
}

/** Runs commands as they arrive. The code is the built one, loaded once. */
const SERVE = `
  const { Readable, Writable } = require('node:stream');
  const { StringDecoder } = require('node:string_decoder');
  const { runProgram } = require(process.argv[1]);
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ id, args, env, home, input }) => {
    const stream = (name) => {
      const decoder = new StringDecoder();
      return new Writable({ write: (part, _, done) => process.send({ id, [name]: decoder.write(part) }, done) });
    };
    const [stdout, stderr] = [stream('stdout'), stream('stderr')];
    const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });
    const code = await runProgram(args, { env, home, stdin, stdout, stderr }, '0');
    await Promise.all([stdout, stderr].map((each) => new Promise((resolve) => each.end(resolve))));
    process.send({ id, code });
  });
`;

interface Message extends Partial<Finished> {
  readonly id: number;
}

interface Command {
  readonly stdout: Printed;
  stderr: string;
  end(code: number | null): void;
}

let server: ChildProcess | undefined;
const running = new Map<number, Command>();
let commands = 0;

/**
 * Runs the built command. All commands share one process, because starting a process for each one would take most of
 * the time of these tests.
 */
export function svc(args: readonly string[], env: Record<string, string>, input = ''): Running {
  server ??= startServer();
  const id = ++commands;
  const stdout = new Printed();
  const finished = new Promise<Finished>((resolve) => {
    const command = { stdout, stderr: '', end };
    function end(code: number | null): void {
      running.delete(id);
      resolve({ code, stdout: stdout.text, stderr: command.stderr });
    }
    running.set(id, command);
  });
  const home = env['HOME'] ?? userInfo().homedir;
  server.send({ id, args, env: { PATH: process.env['PATH'] ?? '', ...env }, home, input });
  return Object.assign(finished, { printed: (text: string) => stdout.has(text) });
}

function startServer(): ChildProcess {
  checkBuilt();
  const child = spawn(process.execPath, ['-e', SERVE, join(DIST, 'program/run-program.js')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', ({ id, stdout, stderr, code }: Message) => {
    const command = running.get(id)!;
    if (stdout !== undefined) command.stdout.add(stdout);
    if (stderr !== undefined) command.stderr += stderr;
    if (code !== undefined) command.end(code);
  });
  // A command that ends the process fails its own test.
  child.on('close', (code) => {
    server = undefined;
    for (const command of running.values()) command.end(code);
  });
  child.unref();
  child.channel!.unref();
  return child;
}

function checkBuilt(): void {
  if (!existsSync(join(DIST, 'main.js'))) throw new Error('The command is not built. Run `npm run build` first.');
}
