import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@switchyard/testkit/free-port';
import { AwsClient } from 'aws4fetch';

const PROGRAM = join(homedir(), '.cache/switchyard/moto/bin/moto_server');
const BUCKET = 'copies';
const REGION = 'us-east-1';
/** The requests that create the user and the bucket. After them, the server checks every signature. */
const FREE_REQUESTS = 4;

/** A server for S3 that is not ours (moto, which checks signatures with the code of AWS), with a bucket and the keys of a user. */
export interface MotoServer {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The objects of the bucket: their contents by key. */
  objects(): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

/** Whether the server is installed. In CI it has to be. */
export function hasMoto(): boolean {
  if (existsSync(PROGRAM)) return true;
  if (process.env['CI'] === 'true') throw new Error(`${PROGRAM} is needed for these tests.`);
  console.warn(
    'Skipped: the tests of the archive in S3 need moto_server (the Python package moto), which .ci/run installs.',
  );
  return false;
}

export async function startMoto(): Promise<MotoServer> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(PROGRAM, ['--host', '127.0.0.1', '--port', String(port)], {
    env: { ...process.env, INITIAL_NO_AUTH_ACTION_COUNT: String(FREE_REQUESTS) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  const keys = await untilItListens(endpoint, () => child.exitCode === null)
    .then(() => createUser(endpoint))
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  const client = new AwsClient({ ...keys, service: 's3', region: REGION });
  const read = async (path: string) => (await client.fetch(`${endpoint}/${BUCKET}${path}`)).text();
  return {
    endpoint,
    bucket: BUCKET,
    region: REGION,
    ...keys,
    async objects() {
      const names = [...(await read('?list-type=2')).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!);
      return Object.fromEntries(await Promise.all(names.map(async (key) => [key, await read(`/${key}`)] as const)));
    },
    stop,
  };
}

async function createUser(endpoint: string) {
  const anybody = { accessKeyId: 'anybody', secretAccessKey: 'anything', region: REGION };
  const iam = new AwsClient({ ...anybody, service: 'iam' });
  const ask = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ Version: '2010-05-08', UserName: 'archive', ...fields }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await iam.fetch(`${endpoint}/`, { method: 'POST', body, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${fields['Action']}: ${response.status} ${text}`);
    return text;
  };
  await ask({ Action: 'CreateUser' });
  const Statement = [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await ask({ Action: 'PutUserPolicy', PolicyName: 'all', PolicyDocument });
  const answer = await ask({ Action: 'CreateAccessKey' });
  const bucket = new AwsClient({ ...anybody, service: 's3' });
  await bucket.fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' });
  const [accessKeyId, secretAccessKey] = ['AccessKeyId', 'SecretAccessKey'].map(
    (name) => new RegExp(`<${name}>([^<]+)<`).exec(answer)![1]!,
  );
  return { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! };
}

/** Asks for a page that needs no signature and does not count. */
async function untilItListens(endpoint: string, isAlive: () => boolean): Promise<void> {
  while (!(await fetch(`${endpoint}/moto-api/`).catch(() => undefined))) {
    if (!isAlive()) throw new Error('moto_server does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
