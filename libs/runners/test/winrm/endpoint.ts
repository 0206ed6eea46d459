import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { descendant, elementsBelow, readXml, xmlText, type XmlElement } from '../../src/winrm/protocol/xml-reader';
import type { Certificate } from '../http-request/http-servers';
import { NtlmHost, PASSWORD, USER } from './ntlm-host';
import { Windows, type HostCommand, type Surroundings } from './windows';

export interface EndpointOptions {
  readonly certificate?: Certificate;
  /** Accepts unencrypted messages on unencrypted connections. */
  readonly allowsUnencrypted?: boolean;
  /** The endpoint closes the connection after responding to this action. */
  readonly closesAfter?: string;
  /** Called before each response; may respond instead. */
  readonly instead?: (action: string, response: ServerResponse) => boolean | Promise<boolean>;
}

interface Answer {
  readonly status: number;
  readonly xml: string;
}

interface Shell extends Surroundings {
  readonly commands: Map<string, HostCommand>;
}

const MOST_BYTES = 50_000;
/** Milliseconds until it responds without output. */
const OPERATION_MS = 100;

/** A WinRM host on its own loopback port. */
export class Endpoint {
  readonly windows = new Windows();
  /** The requested actions: `Create`, `Receive`, … */
  readonly actions: string[] = [];
  /** Complete messages. */
  readonly messages: string[] = [];
  readonly shells = new Map<string, Shell>();
  readonly #heard: string[] = [];
  readonly #options: EndpointOptions;
  readonly #server;
  readonly #logins = new WeakMap<object, NtlmHost>();
  #count = 0;

  constructor(options: EndpointOptions = {}) {
    this.#options = options;
    const { certificate } = options;
    const listener = (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response);
    this.#server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** All data received over the network. */
  heard = (): string => this.#heard.join('\n');

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const shell of this.shells.values()) await killAll(shell);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    this.windows.remove();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.#heard.push(JSON.stringify(request.headers), body.toString('latin1'));
    const login = this.#loginOf(request);
    if (!this.#isLoggedIn(request, response, login)) return;
    const isSealed = request.headers['content-type']?.startsWith('multipart/encrypted') === true;
    if (body.length === 0) return void response.end();
    const isPlain = this.#options.certificate === undefined && !isSealed;
    if (isPlain && this.#options.allowsUnencrypted !== true) return refuse(response);
    const answer = await this.#answer((isSealed ? login.unseal(body) : body).toString(), response);
    if (answer === undefined) return;
    const type = isSealed
      ? 'multipart/encrypted;protocol="application/HTTP-SPNEGO-session-encrypted"'
      : 'application/soap+xml';
    const isLast = this.actions.at(-1) === this.#options.closesAfter;
    response.writeHead(answer.status, { 'Content-Type': type, ...(isLast && { Connection: 'close' }) });
    response.end(isSealed ? login.seal(Buffer.from(answer.xml)) : answer.xml);
  }

  #loginOf({ socket }: IncomingMessage): NtlmHost {
    const { certificate } = this.#options;
    const known = this.#logins.get(socket) ?? new NtlmHost(certificate && new X509Certificate(certificate.cert).raw);
    this.#logins.set(socket, known);
    return known;
  }

  /** Responds directly to clients that are not logged in. */
  #isLoggedIn({ headers }: IncomingMessage, response: ServerResponse, login: NtlmHost): boolean {
    const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
    if (scheme === 'Basic' && Buffer.from(token, 'base64').toString() === `${USER}:${PASSWORD}`) return true;
    const challenge = scheme === 'Negotiate' ? login.take(Buffer.from(token, 'base64')) : undefined;
    if (challenge === undefined && login.isLoggedIn) return true;
    const fields =
      challenge === undefined ? ['Negotiate', 'Basic realm="WSMAN"'] : [`Negotiate ${challenge.toString('base64')}`];
    response.writeHead(401, { 'WWW-Authenticate': fields });
    response.end();
    return false;
  }

  async #answer(message: string, response: ServerResponse): Promise<Answer | undefined> {
    const { top, isComplete } = readXml(message);
    if (!isComplete) return fault('1', 'not well-formed');
    const action = (descendant(top, 'Action')?.text ?? '').split('/').at(-1)!;
    this.actions.push(action);
    this.messages.push(message);
    if (await this.#options.instead?.(action, response)) return undefined;
    const [selector] = [...elementsBelow(top)].filter(({ name }) => name === 'Selector');
    const shell = this.shells.get(selector?.text ?? '');
    const body = descendant(top, 'Body')!;
    if (action === 'Create') return this.#create(body);
    if (shell === undefined) return fault('2150858843', 'The shell was not found on the server.');
    if (action !== 'Delete') return this.#inShell(action, shell, body);
    this.shells.delete(selector!.text);
    await killAll(shell);
    return done('');
  }

  #create(body: XmlElement) {
    const id = `SHELL-${++this.#count}`;
    const cwd = descendant(body, 'WorkingDirectory')?.text;
    const variables = [...elementsBelow(body)].filter(({ name }) => name === 'Variable');
    const env = Object.fromEntries(variables.map(({ attributes, text }) => [attributes['Name']!, text]));
    this.shells.set(id, { cwd, env, commands: new Map() });
    return done(`<rsp:Shell><rsp:ShellId>${id}</rsp:ShellId></rsp:Shell>`);
  }

  async #inShell(action: string, shell: Shell, body: XmlElement) {
    if (action === 'Command') {
      const id = `COMMAND-${++this.#count}`;
      const line = descendant(body, 'Command')!.text;
      if (line.startsWith('refuse')) return fault('5', `The host does not like "${line}".`);
      shell.commands.set(id, this.windows.start(line, shell));
      return done(`<rsp:CommandResponse><rsp:CommandId>${id}</rsp:CommandId></rsp:CommandResponse>`);
    }
    const id = [...elementsBelow(body)].map(({ attributes }) => attributes['CommandId']).find((each) => each)!;
    const command = shell.commands.get(id);
    if (command === undefined) return fault('2150858846', 'There is no such command.');
    if (action === 'Receive') return receive(command);
    shell.commands.delete(id);
    await command.kill();
    return done('<rsp:SignalResponse/>');
  }
}

async function killAll({ commands }: Shell): Promise<void> {
  for (const command of commands.values()) await command.kill();
}

async function receive(command: HostCommand): Promise<Answer> {
  if (isSilent(command) && command.exitCode === undefined) {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([command.changed, new Promise((resolve) => (timer = setTimeout(resolve, OPERATION_MS)))]);
    clearTimeout(timer);
  }
  if (isSilent(command) && command.exitCode === undefined) return fault('2150858793', 'The operation timed out.');
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const all = Buffer.concat(command.pending[name].splice(0));
    if (all.length > MOST_BYTES) command.pending[name].push(all.subarray(MOST_BYTES));
    return `<rsp:Stream Name="${name}" CommandId="x">${all.subarray(0, MOST_BYTES).toString('base64')}</rsp:Stream>`;
  });
  const isDone = command.exitCode !== undefined && isSilent(command);
  const state = `http://schemas.microsoft.com/wbem/wsman/1/windows/shell/CommandState/${isDone ? 'Done' : 'Running'}`;
  const code = isDone ? `<rsp:ExitCode>${command.exitCode}</rsp:ExitCode>` : '';
  return done(
    `<rsp:ReceiveResponse>${streams.join('')}<rsp:CommandState CommandId="x" State="${state}">${code}</rsp:CommandState></rsp:ReceiveResponse>`,
  );
}

const isSilent = ({ pending }: HostCommand) => pending.stdout.length === 0 && pending.stderr.length === 0;

const envelope = (body: string) =>
  `<s:Envelope xml:lang="en-US" xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:rsp="http://schemas.microsoft.com/wbem/wsman/1/windows/shell"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`;

const done = (body: string): Answer => ({ status: 200, xml: envelope(body) });

const fault = (code: string, text: string): Answer => ({
  status: 500,
  xml: envelope(
    `<s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en-US">${xmlText(text)}</s:Text></s:Reason><s:Detail><f:WSManFault xmlns:f="http://schemas.microsoft.com/wbem/wsman/1/wsmanfault" Code="${code}"/></s:Detail></s:Fault>`,
  ),
});

/** Windows does not give a reason. */
function refuse(response: ServerResponse): void {
  response.writeHead(500).end();
}
