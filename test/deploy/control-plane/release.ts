import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../system/system-process';
import { KUBERNETES } from './binaries';
import { until, type ControlPlane } from './control-plane';
import { contents, crowded, obstacles, warnings, type LivePod } from './inspection';
import type { Report, Step } from './report';
import type { ProgramResult } from './run-program';
import { WORKERS } from './nodes';

export const CHART = 'deploy/kubernetes';

/** The values in a file of `test/deploy/chart-values`. */
export const chartValues = (name: string): Record<string, unknown> =>
  parse(readFileSync(join(ROOT, 'test/deploy/chart-values', `${name}.yaml`), 'utf8')) as Record<string, unknown>;

/** What a scenario works with. */
export interface Scene {
  readonly cluster: ControlPlane;
  readonly report: Report;
  /** For files. */
  readonly directory: string;
  readonly helm: string;
}

/** A release of the chart in a namespace. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** Runs `helm COMMAND RELEASE ARGUMENTS --namespace …`. @throws Error if it fails */
  helm(command: string, ...args: string[]): Promise<ProgramResult>;
  /** The same with values, which may fail. */
  tryHelm(values: object, command: string, ...args: string[]): Promise<ProgramResult>;
  /** Upgrades to values, and waits until all pods are replaced. */
  upgrade(values: object, chart?: string): Promise<ProgramResult>;
}

export function releaseOf({ cluster, helm }: Scene, name: string, namespace: string): Release {
  const tryHelm: Release['tryHelm'] = async (values, command, ...args) =>
    cluster.run(
      helm,
      [command, name, ...args, '--namespace', namespace, ...(Object.keys(values).length > 0 ? ['--values', '-'] : [])],
      JSON.stringify(values),
    );
  const succeeding = async (values: object, command: string, ...args: string[]) => {
    const result = await tryHelm(values, command, ...args);
    if (result.code !== 0) throw new Error(`helm ${command} ${args.join(' ')}: ${result.stderr}`);
    return result;
  };
  return {
    name,
    namespace,
    tryHelm,
    helm: async (command, ...args) => succeeding({}, command, ...args),
    upgrade: async (values, chart = CHART) => succeeding(values, 'upgrade', chart, ...WAITING),
  };
}

export const WAITING = ['--wait', '--timeout', '5m'];

/** Creates a namespace in which Kubernetes admits only pods of its strictest standard, and accounts for a release. */
export async function createNamespace({ cluster }: Scene, namespace: string): Promise<void> {
  const standard = Object.fromEntries(
    ['enforce', 'warn', 'audit'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  await cluster.apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: standard } },
    secretOf(namespace, 'accounts', 'htpasswd'),
  );
}

export const secretOf = (namespace: string, name: string, ...keys: string[]): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name },
  stringData: Object.fromEntries(keys.map((key) => [key, 'x'])),
});

/**
 * Lets the API server check each manifest of a release without storing it: unknown and repeated fields are errors, and it warns about
 * what is deprecated or not restricted.
 */
export async function checkManifests(scene: Scene, step: Step, values: object, namespace: string): Promise<void> {
  const { cluster, helm } = scene;
  const rendered = await cluster.run(
    helm,
    ['template', 'checked', CHART, '--namespace', namespace, '--kube-version', KUBERNETES, '--values', '-'],
    JSON.stringify(values),
  );
  step.equal('messages of helm template', rendered.stderr, '');
  const { code, stdout, stderr } = await cluster.run(
    cluster.kubectlPath,
    ['create', '--dry-run=server', '--validate=strict', '--namespace', namespace, '--filename', '-'],
    rendered.stdout,
  );
  step.note(`${stdout.split('\n').filter((line) => line !== '').length} objects`);
  step.equal('what the API server says', [code, stderr], [0, '']);
}

/** Checks that everything of a release runs, as far as Kubernetes decides it. */
export async function checkRunning(scene: Scene, step: Step, { namespace }: Release): Promise<void> {
  const { cluster } = scene;
  await settle(scene, namespace);
  step.equal('obstacles', await obstacles(cluster, namespace), []);
  step.equal('crowded nodes', await crowded(cluster, namespace, WORKERS.length), []);
  step.equal('warnings', await warnings(cluster, namespace), []);
}

/** Uninstalls a release. @returns what is there that was not there before */
export async function uninstall(scene: Scene, release: Release, before: readonly string[]): Promise<string[]> {
  const { stderr } = await release.helm('uninstall', ...WAITING);
  if (stderr !== '') throw new Error(stderr);
  const added = async () => (await contents(scene.cluster, release.namespace)).filter((name) => !before.includes(name));
  // The garbage collector of Kubernetes removes these a little later.
  await until('owned objects to go', async () => !(await added()).some((name) => OWNED.test(name)), 300);
  return added();
}

const OWNED = /^(pod|endpoints|endpointslice|replicaset|controllerrevision)[./]/;

/** Waits until every Deployment and StatefulSet has the pods that it wants, and no others. */
export async function settle({ cluster }: Scene, namespace: string): Promise<void> {
  interface Live {
    readonly metadata: { readonly generation: number };
    readonly spec: { readonly replicas: number };
    readonly status: Readonly<Record<string, number | undefined>>;
  }
  const isSettled = ({ metadata, spec, status }: Live) =>
    status['observedGeneration'] === metadata.generation &&
    ['replicas', 'readyReplicas', 'updatedReplicas'].every((each) => (status[each] ?? 0) === spec.replicas);
  await until('all pods to run', async () => {
    const owners = await cluster.list<Live>(namespace, 'deployments,statefulsets');
    const pods = await cluster.list<LivePod>(namespace, 'pods');
    return owners.every(isSettled) && pods.every(({ metadata }) => metadata.deletionTimestamp === undefined);
  });
}

/** A copy of the chart with another version. */
export function chartWithVersion({ directory }: Scene, version: string): string {
  const copy = join(directory, `chart-${version}`);
  cpSync(join(ROOT, CHART), copy, { recursive: true });
  const file = join(copy, 'Chart.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  return copy;
}

/** Where CI installs helm, unless it is in the path. */
export const helmProgram = (): string => join(homedir(), '.cache/switchyard/helm/bin/helm');
