import { fault } from '@switchyard/base';
import type { MessageExchange } from '../connection/message-exchange';
import { acceptedReply, soapCall, ACTION, DONE, TERMINATE, type SoapMessage } from './soap-call';
import { descendant, elementsBelow, unwritable, xmlText, type XmlElement } from './xml-reader';

export type HostStream = 'stdout' | 'stderr';

/** Receives output as it arrives. The next chunk is requested after it resolves. */
export type HostOutput = (stream: HostStream, bytes: Buffer) => void | Promise<void>;

export interface ShellOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

const UTF_8 = '65001';
/** The host ends a shell after this time without requests, because its client is gone. */
const IDLE_SECONDS = 180;
/** The host's response when there was no output within the operation timeout. */
const NOTHING_YET = '2150858793';

/** A shell on a host. Processes started in it end with it. */
export class WinrmShell {
  readonly #url: URL;
  readonly #id: string;
  #exchange: MessageExchange;
  #command: string | undefined;

  private constructor(exchange: MessageExchange, url: URL, id: string) {
    this.#exchange = exchange;
    this.#url = url;
    this.#id = id;
  }

  /** @throws Fault `winrm.…`, `runner.http-failed`, or the reason of `signal` */
  static async open(
    exchange: MessageExchange,
    url: URL,
    options: ShellOptions,
    signal: AbortSignal,
  ): Promise<WinrmShell> {
    const message: SoapMessage = {
      action: ACTION.create,
      options: { WINRS_NOPROFILE: 'FALSE', WINRS_CODEPAGE: UTF_8 },
      body: shellBody(options),
    };
    const body = acceptedReply(await soapCall(exchange, url, message, signal), url, 'open a shell');
    const id = shellIdOf(body);
    if (id === undefined) throw fault('winrm.answer', { host: url.host, reason: 'it names no shell' });
    return new WinrmShell(exchange, url, id);
  }

  /** Continues on another connection. */
  over(exchange: MessageExchange): void {
    this.#exchange = exchange;
  }

  /** Runs a command line to its end. @returns the exit code @throws like `open` */
  async run(command: string, signal: AbortSignal, output: HostOutput): Promise<number> {
    this.#command = await this.#start(command, signal);
    for (;;) {
      const exitCode = await this.#receive(this.#command, signal, output);
      if (exitCode === undefined) continue;
      await this.terminate(signal);
      return exitCode;
    }
  }

  /** Ends the running command, or releases a finished one on the host. */
  async terminate(signal: AbortSignal): Promise<void> {
    if (this.#command === undefined) return;
    const command = xmlText(this.#command);
    this.#command = undefined;
    // A host that has already forgotten the command refuses, which is fine.
    await this.#call(
      ACTION.signal,
      `<rsp:Signal CommandId="${command}"><rsp:Code>${TERMINATE}</rsp:Code></rsp:Signal>`,
      signal,
    );
  }

  /** Closes the shell and ends everything in it. @throws like `open` */
  async delete(signal: AbortSignal): Promise<void> {
    acceptedReply(await this.#call(ACTION.delete, '', signal), this.#url, 'close the shell');
  }

  async #start(command: string, signal: AbortSignal): Promise<string> {
    const options = { WINRS_CONSOLEMODE_STDIN: 'TRUE', WINRS_SKIP_CMD_SHELL: 'FALSE' };
    const body = `<rsp:CommandLine><rsp:Command>${xmlValue(command)}</rsp:Command></rsp:CommandLine>`;
    const reply = await this.#call(ACTION.command, body, signal, options);
    const id = descendant(acceptedReply(reply, this.#url, 'start the command'), 'CommandId')?.text.trim();
    if (!id) throw fault('winrm.answer', { host: this.#url.host, reason: 'it names no command' });
    return id;
  }

  /** @returns the exit code after the last output */
  async #receive(command: string, signal: AbortSignal, output: HostOutput): Promise<number | undefined> {
    const wanted = `<rsp:DesiredStream CommandId="${xmlText(command)}">stdout stderr</rsp:DesiredStream>`;
    const reply = await this.#call(ACTION.receive, `<rsp:Receive>${wanted}</rsp:Receive>`, signal);
    if (reply.kind === 'refused' && reply.code === NOTHING_YET) return undefined;
    const body = acceptedReply(reply, this.#url, 'return the output');
    for (const { name, attributes, text } of elementsBelow(body)) {
      const stream = attributes['Name'];
      if (name !== 'Stream' || (stream !== 'stdout' && stream !== 'stderr') || text === '') continue;
      await output(stream, Buffer.from(text, 'base64'));
    }
    const state = descendant(body, 'CommandState');
    if (state?.attributes['State'] !== DONE) return undefined;
    return Number(descendant(state, 'ExitCode')?.text ?? 0) || 0;
  }

  #call(action: SoapMessage['action'], body: string, signal: AbortSignal, options: SoapMessage['options'] = {}) {
    return soapCall(this.#exchange, this.#url, { action, body, options, shellId: this.#id }, signal);
  }
}

function shellBody({ cwd, env }: ShellOptions): string {
  const variables = Object.entries(env).map(
    ([name, value]) => `<rsp:Variable Name="${xmlValue(name)}">${xmlValue(value)}</rsp:Variable>`,
  );
  const parts = [
    variables.length === 0 ? '' : `<rsp:Environment>${variables.join('')}</rsp:Environment>`,
    cwd === undefined ? '' : `<rsp:WorkingDirectory>${xmlValue(cwd)}</rsp:WorkingDirectory>`,
    `<rsp:IdleTimeOut>PT${IDLE_SECONDS}.000S</rsp:IdleTimeOut>`,
    '<rsp:InputStreams>stdin</rsp:InputStreams><rsp:OutputStreams>stdout stderr</rsp:OutputStreams>',
  ];
  return `<rsp:Shell>${parts.join('')}</rsp:Shell>`;
}

/** Older hosts identify the shell only by its selector. */
function shellIdOf(body: XmlElement): string | undefined {
  const selectors = [...elementsBelow(body)].filter(
    ({ name, attributes }) => name === 'Selector' && attributes['Name'] === 'ShellId',
  );
  return (selectors[0] ?? descendant(body, 'ShellId'))?.text.trim() || undefined;
}

/** @throws Fault `winrm.character` */
function xmlValue(text: string): string {
  const char = unwritable(text);
  if (char === undefined) return xmlText(text);
  const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  throw fault('winrm.character', { code });
}
