import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endsWithUs } from '../../system/ends-with-us';
import { freePorts, ROOT } from '../../system/system-process';
import type { Binaries } from './binaries';
import { kwokStages } from './kwok-stages';
import { runProgram, type ProgramResult } from './run-program';

/** A control plane of Kubernetes on this machine. It listens on the loopback interface only. */
export interface ControlPlane {
  /** The certificate and key of the API server, which are good for `localhost`. */
  readonly certificate: { readonly cert: Buffer; readonly key: Buffer };
  readonly kubectlPath: string;
  /** Starts a `kubectl` that goes on. */
  startKubectl(args: readonly string[]): ChildProcess;
  /** @throws Error if it fails */
  kubectl(args: readonly string[], input?: string | object): Promise<string>;
  /** The objects that `kubectl get` finds. */
  list<T>(namespace: string, kind: string, ...args: string[]): Promise<T[]>;
  apply(...objects: object[]): Promise<void>;
  /** Runs a program of our choice, such as `helm`, with access to the cluster. */
  run(program: string, args: readonly string[], input?: string): Promise<ProgramResult>;
  stop(): Promise<void>;
}

/** Starts etcd, the API server, the controllers, the scheduler and kwok. */
export async function startControlPlane(binaries: Binaries, directory: string): Promise<ControlPlane> {
  const files = writeFiles(directory);
  const ports = await portsOf('etcd', 'peers', 'apiserver', 'controllers', 'scheduler');
  const children: ChildProcess[] = [];
  const start = (name: keyof Binaries, args: readonly string[]) => {
    const log = openSync(join(directory, `${name}.log`), 'a');
    const child = spawn(binaries[name], args, { stdio: ['ignore', log, log], cwd: directory });
    endsWithUs(child, () => void child.kill('SIGKILL'));
    children.push(child);
  };
  start('etcd', etcdArguments(join(directory, 'etcd'), ports));
  start('kube-apiserver', apiServerArguments(files, ports));
  const client = clientOf(binaries, directory, files, ports.apiserver);
  await until('the API server to be ready', async () => (await client.tried(['get', '--raw', '/readyz'])).code === 0);
  const common = [`--kubeconfig=${files.kubeconfig}`, '--leader-elect=false', '--bind-address=127.0.0.1'];
  start('kube-controller-manager', [
    ...common,
    `--secure-port=${ports.controllers}`,
    `--service-account-private-key-file=${files.accountKey}`,
    `--root-ca-file=${files.certificate}`,
    '--horizontal-pod-autoscaler-sync-period=1s',
  ]);
  start('kube-scheduler', [...common, `--secure-port=${ports.scheduler}`]);
  writeFileSync(join(directory, 'stages.yaml'), kwokStages());
  start('kwok', [
    `--kubeconfig=${files.kubeconfig}`,
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
    `--config=${join(directory, 'stages.yaml')}`,
  ]);
  return {
    ...client,
    certificate: { cert: readFileSync(files.certificate), key: readFileSync(files.certificateKey) },
    async stop() {
      // The first ones would complain about the last ones.
      for (const child of children.reverse()) {
        const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

async function portsOf<Name extends string>(...names: Name[]): Promise<Record<Name, number>> {
  const ports = await freePorts(names.length);
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>;
}

/** Asks until something is true, for two minutes. */
export async function until(what: string, look: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`gave up waiting for ${what}`);
    await setTimeout(200);
  }
}

type Files = ReturnType<typeof writeFiles>;

function writeFiles(directory: string) {
  const at = (name: string) => join(directory, name);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const token = randomBytes(20).toString('hex');
  writeFileSync(at('accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(at('accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  return {
    directory,
    token,
    tokens: at('tokens.csv'),
    accountKey: at('accounts.key'),
    accountPublicKey: at('accounts.pub'),
    kubeconfig: at('kubeconfig'),
    certificate: at('certificates/apiserver.crt'),
    certificateKey: at('certificates/apiserver.key'),
  };
}

function etcdArguments(data: string, { etcd, peers }: Record<'etcd' | 'peers', number>): string[] {
  const [clients, others] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peers}`];
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${others}`,
    `--initial-advertise-peer-urls=${others}`,
    `--initial-cluster=default=${others}`,
  ];
}

const apiServerArguments = (files: Files, { etcd, apiserver }: Record<'etcd' | 'apiserver', number>): string[] => [
  `--etcd-servers=http://127.0.0.1:${etcd}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  `--secure-port=${apiserver}`,
  `--cert-dir=${join(files.directory, 'certificates')}`,
  `--token-auth-file=${files.tokens}`,
  '--authorization-mode=Node,RBAC',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${files.accountPublicKey}`,
  `--service-account-signing-key-file=${files.accountKey}`,
  '--service-cluster-ip-range=10.96.0.0/16',
  '--endpoint-reconciler-type=none',
];

function clientOf(binaries: Binaries, directory: string, files: Files, port: number) {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'local', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': files.certificate } },
    ],
    users: [{ name: 'admin', user: { token: files.token } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  };
  writeFileSync(files.kubeconfig, JSON.stringify(config), { mode: 0o600 });
  const environment = { KUBECONFIG: files.kubeconfig, HOME: directory };
  const tried = async (args: readonly string[], input?: string) =>
    runProgram(binaries.kubectl, args, { environment, ...(input === undefined ? {} : { input }) });
  const kubectl = async (args: readonly string[], input?: string | object): Promise<string> => {
    const { code, stdout, stderr } = await tried(args, typeof input === 'object' ? JSON.stringify(input) : input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr || stdout}`);
    return stdout;
  };
  return {
    tried,
    kubectl,
    kubectlPath: binaries.kubectl,
    startKubectl: (args: readonly string[]) =>
      spawn(binaries.kubectl, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] }),
    list: async <T>(namespace: string, kind: string, ...args: string[]) => {
      const found = await kubectl(['get', kind, '--namespace', namespace, '--output', 'json', ...args]);
      return (JSON.parse(found) as { items: T[] }).items;
    },
    apply: async (...items: object[]) =>
      void (await kubectl(['apply', '--filename', '-'], { apiVersion: 'v1', kind: 'List', items })),
    run: async (program: string, args: readonly string[], input?: string) =>
      runProgram(program, args, { directory: ROOT, environment, ...(input === undefined ? {} : { input }) }),
  };
}
