import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { makeSshKey, missingSshServer, startSshServer } from '@switchyard/testkit/ssh';
import type { ApiCaller } from '../system/api-caller';
import type { Job } from './submit';

/** A server that can run commands of `core.remote`. */
export interface SshBench {
  readonly job: Job;
  stop(): Promise<void>;
}

/** Starts a server on this machine and runs one command on it. @returns undefined, after printing why, if there is no server */
export async function withSshServer(api: ApiCaller): Promise<SshBench | undefined> {
  const missing = missingSshServer();
  if (missing !== undefined) {
    console.log(`ssh: left out, since ${missing} is missing.`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-ssh-'));
  const { path, publicKey } = makeSshKey(join(folder, 'id'));
  const server = await startSshServer({ authorized: [publicKey] });
  const job = {
    action: 'core.remote',
    parameters: {
      cmd: 'echo hello',
      hosts: `127.0.0.1:${server.port}`,
      username: userInfo().username,
      private_key: path,
    },
  };
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  await tried(api, job).catch(async (thrown: unknown) => {
    await stop();
    throw thrown;
  });
  return { job, stop };
}

/** Checks that the command works before it is measured. */
async function tried(api: ApiCaller, job: Job): Promise<void> {
  const { body } = await api.call('POST', '/v1/executions', job);
  const { id } = body as { id: string };
  for (;;) {
    const { body: seen } = await api.call('GET', `/v1/executions/${id}`);
    const { status, result } = seen as { status: string; result: unknown };
    if (status === 'succeeded') return;
    if (['failed', 'timeout', 'abandoned', 'canceled'].includes(status)) {
      throw new Error(`the remote command ended as ${status}: ${JSON.stringify(result)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
