import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Server, type AuthContext, type ServerChannel } from 'ssh2';

export interface PasswordServerOptions {
  readonly method: 'password' | 'keyboard-interactive';
  readonly password: string;
  /** Runs no command: prints this text instead and ends immediately. */
  readonly refusal?: string;
}

/** A server that accepts a password. OpenSSH would require a user of this machine. */
export async function passwordServer({ method, password, refusal }: PasswordServerOptions) {
  // ssh2's own generator occasionally creates Ed25519 keys that it cannot read.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const hostKey = privateKey.export({ type: 'sec1', format: 'pem' });
  let asked = 0;
  let newest: Socket;
  const ssh = new Server({ hostKeys: [hostKey] }, (client) => {
    client.on('authentication', (context) => {
      if (context.method !== method) return context.reject([method]);
      asked++;
      check(context, password);
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptCommand, _reject, { command }) => {
        if (refusal === undefined) run(command, acceptCommand());
        else atOnce(newest, () => refuse(refusal, acceptCommand()));
      });
    });
    client.on('error', () => undefined);
  });
  const server = createServer((socket) => {
    newest = socket;
    ssh.injectSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** The number of password attempts. */
    asked: () => asked,
    close: () => server.close(),
  };
}

function check(context: AuthContext, password: string): void {
  const decide = (said: string | undefined) => (said === password ? context.accept() : context.reject());
  if (context.method === 'password') return decide(context.password);
  if (context.method !== 'keyboard-interactive') return context.reject();
  context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => decide(answers[0]));
}

/** Sends everything written meanwhile in one packet, as after a network delay. */
function atOnce(socket: Socket, write: () => void): void {
  socket.cork();
  write();
  setImmediate(() => socket.uncork());
}

function refuse(refusal: string, channel: ServerChannel): void {
  channel.stderr.write(refusal);
  channel.exit(1);
  channel.end();
}

function run(command: string, channel: ServerChannel): void {
  const child = spawn('sh', ['-c', command], { stdio: 'pipe' });
  channel.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on('close', (code) => {
    channel.exit(code ?? 255);
    channel.end();
  });
}
