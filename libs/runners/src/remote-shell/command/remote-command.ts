import { deferred, fault, SECOND_MS } from '@switchyard/base';
import type { EndCause, OutputStream, ProcessResult } from '@switchyard/subprocess';
import type { Client, ClientChannel } from 'ssh2';
import { commandLine, sudoCommandLine } from './command-text';
import { channelOutput, exitOfChannel, RemoteOutput, type ShowOutput } from './remote-output';
import { SudoDialogue } from './sudo-dialogue';
import { END, supervisorLine, type SupervisedCommand } from './supervisor';

export interface RemoteCommandOptions extends Omit<SupervisedCommand, 'sudo'> {
  readonly sudo: boolean;
  readonly sudoPassword?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly wholeLines: boolean;
  /** Some sudo installations require a terminal. */
  readonly terminal?: boolean;
  readonly signal: AbortSignal;
  show: ShowOutput;
}

/** The result of a command on a host. */
export interface RemoteEnd extends ProcessResult {
  /** Sudo rejected the password. */
  readonly isPasswordWrong: boolean;
  /** Sudo requires a terminal; nothing was started. */
  readonly needsTerminal: boolean;
  /** The host did not confirm in time that all processes were killed. */
  readonly isUnconfirmed: boolean;
}

/** A channel whose shell waits for its line; nothing was run on the host yet. */
export interface WaitingChannel {
  readonly channel: ClientChannel;
  readonly dialogue: SudoDialogue | undefined;
  readonly exit: Promise<number | null>;
}

type Asked = Pick<RemoteCommandOptions, 'sudo' | 'sudoPassword' | 'terminal'>;

/** Opens a channel for a command. */
export function openCommandChannel(client: Client, { sudo, sudoPassword, terminal }: Asked): Promise<WaitingChannel> {
  const dialogue = sudo ? new SudoDialogue() : undefined;
  const hasPassword = sudoPassword !== undefined;
  const line = dialogue === undefined ? commandLine() : sudoCommandLine(dialogue.marks, hasPassword);
  return new Promise((resolve, reject) => {
    client.exec(line, terminal === true ? { pty: RAW_TERMINAL } : {}, (error, channel) =>
      error === undefined ? resolve({ channel, dialogue, exit: exitOfChannel(channel) }) : reject(error),
    );
  });
}

/** Terminal modes without echo, translation or control characters. */
const RAW_MODES = { ECHO: 0, ICANON: 0, ISIG: 0, IXON: 0, ICRNL: 0, OPOST: 0, ONLCR: 0 } as const;
const RAW_TERMINAL = { rows: 24, cols: 80, height: 0, width: 0, term: 'dumb', modes: RAW_MODES };

/** How long to wait for the host after SIGKILL. */
const ANSWER_MS = 10 * SECOND_MS;

/**
 * Starts the command in its channel and follows it to the end. The first cause of its end wins.
 * @throws Fault `ssh.connection-lost`
 */
export function runRemoteCommand(waiting: WaitingChannel, options: RemoteCommandOptions): Promise<RemoteEnd> {
  return new RemoteCommand(waiting, options).follow();
}

class RemoteCommand {
  readonly #channel: ClientChannel;
  readonly #dialogue: SudoDialogue | undefined;
  readonly #exit: Promise<number | null>;
  readonly #options: RemoteCommandOptions;
  readonly #output: RemoteOutput;
  readonly #givenUp = deferred();
  readonly #timers: NodeJS.Timeout[] = [];
  #cause: EndCause = 'exit';
  #isPasswordWrong = false;
  #isUnconfirmed = false;

  constructor({ channel, dialogue, exit }: WaitingChannel, options: RemoteCommandOptions) {
    this.#channel = channel;
    this.#dialogue = dialogue;
    this.#exit = exit;
    this.#options = options;
    this.#output = new RemoteOutput(options.show, options.maxOutputBytes, options.wholeLines);
  }

  async follow(): Promise<RemoteEnd> {
    const { signal, timeoutMs } = this.#options;
    const cancel = () => this.#end('cancel');
    const settle = channelOutput(this.#channel, (stream, chunk) => this.#hear(stream, chunk));
    // A lost connection is noticed as a closed channel.
    this.#channel.on('error', () => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    this.#timers.push(setTimeout(() => this.#end('timeout'), timeoutMs));
    if (this.#dialogue === undefined) this.#begin();
    if (signal.aborted) cancel();
    try {
      const exitCode = await Promise.race([this.#exit, this.#givenUp.promise.then(() => null)]);
      await settle();
      return await this.#result(exitCode);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#timers.forEach((timer) => clearTimeout(timer));
    }
  }

  #begin(): void {
    this.#channel.write(`${supervisorLine(this.#options)}\n`);
  }

  #hear(stream: OutputStream, chunk: Buffer): Promise<void> | undefined {
    if (this.#dialogue === undefined) return this.#take(stream, chunk);
    const { step, rest } = this.#dialogue.hear(stream, chunk);
    if (step === 'password') this.#channel.write(`${this.#options.sudoPassword ?? ''}\n`);
    if (step === 'begin') this.#begin();
    if (step === 'refused') {
      this.#isPasswordWrong = true;
      this.#channel.end();
    }
    return this.#take(stream, rest);
  }

  #take(stream: OutputStream, chunk: Buffer): Promise<void> | undefined {
    if (chunk.length === 0) return undefined;
    return this.#output.take(stream, this.#options.terminal === true ? withoutReturns(chunk) : chunk);
  }

  #end(cause: 'timeout' | 'cancel'): void {
    if (this.#cause !== 'exit') return;
    this.#cause = cause;
    if (this.#dialogue?.isOver === false) this.#channel.end();
    else this.#channel.write(END);
    this.#timers.push(setTimeout(() => this.#giveUp(), this.#options.graceMs + ANSWER_MS));
  }

  #giveUp(): void {
    this.#isUnconfirmed = true;
    this.#givenUp.resolve();
  }

  async #result(exitCode: number | null): Promise<RemoteEnd> {
    if (exitCode === null && this.#cause === 'exit') throw fault('ssh.connection-lost');
    if (exitCode === null) this.#isUnconfirmed = true;
    await this.#takeHeld();
    const { stdout, stderr } = await this.#output.finish();
    const { isOver } = this.#dialogue ?? { isOver: true };
    return {
      cause: this.#cause,
      exitCode: exitCode ?? 0,
      signal: null,
      stdout,
      stderr,
      survivors: [],
      ...(this.#output.error !== undefined && { outputError: this.#output.error }),
      isPasswordWrong: this.#isPasswordWrong,
      needsTerminal: !isOver && /must have a tty/.test(stderr.text),
      isUnconfirmed: this.#isUnconfirmed,
    };
  }

  async #takeHeld(): Promise<void> {
    for (const stream of ['stdout', 'stderr'] as const) {
      const held = this.#dialogue?.rest(stream);
      if (held !== undefined) await this.#take(stream, held);
    }
  }
}

/** Removes carriage returns that sudo's terminal may have added. */
const withoutReturns = (chunk: Buffer): Buffer =>
  Buffer.from(chunk.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
