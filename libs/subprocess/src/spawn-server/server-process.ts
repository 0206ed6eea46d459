import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { KIB, messageOf } from '@switchyard/base';
import { processIdentity } from '../proc-entry';
import { environmentOf, programWords, type ProcessOptions } from '../process-run';
import { ownerEntry } from './orphaned-servers';

const SCRIPT = join(__dirname, '../../../../python/spawn_server.py');
/** Isolated from the environment, from packages of the user, and from caches of compiled code. */
const ARGUMENTS = ['-I', '-S', '-B', SCRIPT];
/** The variables that the interpreter needs to start. All others could be secret. */
const VARIABLES = ['PATH', 'LD_LIBRARY_PATH'];
const LONGEST_REASON = 2 * KIB;

/** The process of a spawn server and its streams. By default, it does not keep this process alive. */
export class ServerProcess {
  /** Settles when it has ended and all of its messages are read. The value is the reason. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #reader = new SpawnMessageReader();
  #printed = '';

  /**
   * @param onMessages if it throws, the process is killed
   * @throws Error without free descriptors
   */
  constructor(python: string, onMessages: (messages: readonly FromSpawnServer[]) => void) {
    this.#child = spawn(python, [...ARGUMENTS, String(process.pid)], {
      env: { ...pick(environmentOf({}), VARIABLES), ...ownerEntry(processIdentity(process.pid)) },
      detached: true,
      stdio: 'pipe',
    });
    this.#child.on('error', () => undefined);
    if ((this.#child.stdin as Writable | undefined) === undefined) throw new Error('There are no free descriptors.');
    this.#child.stdout.on('data', (chunk: Buffer) => {
      try {
        onMessages(this.#reader.take(chunk));
      } catch (thrown) {
        this.#print(messageOf(thrown));
        this.kill();
      }
    });
    this.ended = this.#follow();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(frame: Buffer): void {
    this.#child.stdin.write(frame);
  }

  /** Requests its exit. */
  end(): void {
    this.#child.stdin.destroy();
  }

  /** Continues it in case it was stopped. */
  continue(): void {
    this.#child.kill('SIGCONT');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Whether its messages keep this process alive. */
  await(isAwaited: boolean): void {
    const answers = this.#child.stdout as Socket;
    // A closed socket would keep this setting.
    if (answers.destroyed) return;
    if (isAwaited) answers.ref();
    else answers.unref();
  }

  async #follow(): Promise<string> {
    const child = this.#child;
    const exited = once(child, 'exit').then(([code, signal]) => `It ended with ${String(signal ?? code)}.`, messageOf);
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => this.#print(chunk.toString()));
    // Messages are still read after requests can no longer be sent.
    const read = [untilClosed(child.stdout), untilClosed(child.stderr)];
    for (const part of [child, child.stdin, child.stderr]) (part as typeof child | Socket).unref();
    const end = await exited;
    await Promise.all(read);
    return `${end} ${this.#printed}`.trim();
  }

  #print(text: string): void {
    this.#printed = `${this.#printed}${text}`.slice(-LONGEST_REASON);
  }
}

const untilClosed = (stream: Readable): Promise<void> =>
  new Promise((resolve) => stream.on('error', () => stream.destroy()).once('close', resolve));

const pick = (from: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

/** A line from a spawn server; see `python/spawn_server.py`. */
export type FromSpawnServer =
  | { readonly type: 'ready' }
  | { readonly type: 'pipes'; readonly readers: readonly number[] }
  | { readonly type: 'begins'; readonly id: number }
  | { readonly type: 'started'; readonly id: number; readonly pid: number; readonly startTime: string | undefined }
  | { readonly type: 'refused'; readonly id: number }
  | { readonly type: 'exited'; readonly id: number; readonly status: number };

const LENGTHS_BYTES = 8;
const NO_INPUT = Buffer.alloc(0);

/** A frame of two lengths, fields and standard input. */
function encode(fields: readonly string[], input: Buffer = NO_INPUT): Buffer {
  const text = fields.join('\0');
  const bytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(LENGTHS_BYTES + bytes + input.length);
  frame.writeUInt32BE(bytes, 0);
  frame.writeUInt32BE(input.length, LENGTHS_BYTES / 2);
  frame.write(text, LENGTHS_BYTES);
  input.copy(frame, LENGTHS_BYTES + bytes);
  return frame;
}

export const encodePipes = (count: number): Buffer => encode(['pipes', String(count)]);
export const encodeOpened = (): Buffer => encode(['opened']);

/** @param readers descriptors of this process: the pipes for both outputs */
export function encodeStart(id: number, readers: readonly [number, number], options: ProcessOptions): Buffer {
  const { stdin, cwd = process.cwd() } = options;
  const [file, args] = programWords(options);
  const [common, own] = variablesOf(options);
  const counts = [String(args.length + 1), String(common.count + own.length)];
  const head = [
    'start',
    String(id),
    String(readers[0]),
    String(readers[1]),
    stdin === undefined ? '0' : '1',
    cwd,
    file,
  ];
  return encode(
    [...head, ...counts, file, ...args, ...common.fields, ...own],
    typeof stdin === 'string' ? Buffer.from(stdin) : stdin,
  );
}

/** Variables as fields, of which some may be joined already. */
interface JoinedVariables {
  readonly count: number;
  readonly fields: readonly string[];
}

const joined = new WeakMap<Readonly<Record<string, string>>, JoinedVariables>();

/** The common variables and those of the process, which come later and so replace them. */
function variablesOf(options: ProcessOptions): [JoinedVariables, string[]] {
  const { commonEnv, env = {}, marker } = options;
  // One that is unset must not keep its common value.
  if (commonEnv === undefined || Object.values(env).includes(undefined))
    return [{ count: 0, fields: [] }, variables(environmentOf(options))];
  let common = joined.get(commonEnv);
  if (common === undefined) {
    const all = variables(commonEnv);
    common = { count: all.length, fields: all.length === 0 ? [] : [all.join('\0')] };
    joined.set(commonEnv, common);
  }
  return [common, variables(environmentOf({ env, ...(marker && { marker }) }))];
}

const variables = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));

/** Splits received data into messages. */
class SpawnMessageReader {
  #rest = '';

  take(chunk: Buffer): FromSpawnServer[] {
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map(decode);
  }
}

/** @throws Error for anything that is not such a line */
function decode(line: string): FromSpawnServer {
  const [type, ...words] = line.split(' ');
  const [id = NaN, value = NaN] = words.map(Number);
  switch (type) {
    case 'ready':
      return { type };
    case 'pipes':
      return { type, readers: words.map(Number) };
    case 'begins':
    case 'refused':
      return { type, id };
    case 'started':
      return { type, id, pid: value, startTime: words[2] === '-' ? undefined : words[2] };
    case 'exited':
      return { type, id, status: value };
    default:
      throw new Error(`"${line}" is not a message of the spawn server.`);
  }
}
