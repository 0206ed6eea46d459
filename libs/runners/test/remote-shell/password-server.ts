import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Server, utils, type AuthContext, type ServerChannel } from 'ssh2';

export interface PasswordServerOptions {
  readonly method: 'password' | 'keyboard-interactive';
  readonly password: string;
}

/** A server that lets anybody in who knows the password: one of OpenSSH would want a user of this machine for that. */
export async function passwordServer({ method, password }: PasswordServerOptions) {
  const hostKey = utils.generateKeyPairSync('ed25519').private;
  let asked = 0;
  const server = new Server({ hostKeys: [hostKey] }, (client) => {
    client.on('authentication', (context) => {
      if (context.method !== method) return context.reject([method]);
      asked++;
      check(context, password);
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptCommand, _reject, { command }) => run(command, acceptCommand()));
    });
    client.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** How often somebody said a password. */
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
