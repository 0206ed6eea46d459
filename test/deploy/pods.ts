import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentEntry, Labels, Manifest, PodContainer, PodSpec, Probe, Volume, Workload } from './chart';
import { ofKind, serviceContainer } from './chart';
import { startContainer, type Machine, type RunningContainer } from './containers';

/** What the pods of a release share on this machine. */
export interface Cluster {
  readonly manifests: readonly Manifest[];
  readonly machine: Machine;
  /** Secrets that the release does not make: directories of their keys are made from these. */
  readonly secrets: Readonly<Record<string, Labels>>;
  /** The content of images other than ours, by the path in the image. */
  readonly images: Readonly<Record<string, string>>;
}

/** A pod of a Deployment, whose service runs as a local process. */
export interface RunningPod extends RunningContainer {
  /** The ports of the containers and where they are here. */
  readonly ports: Readonly<Record<number, number>>;
  /** Its options, as the service sees them. */
  readonly options: Labels;
  /** Asks a probe as the node would. */
  passes(probe: 'startupProbe' | 'livenessProbe' | 'readinessProbe'): Promise<boolean>;
}

/**
 * Starts a pod: makes its volumes, runs its containers of initialization, then starts its service, each with the commands, environment
 * and mounts as rendered. Paths of mounts are replaced by directories, and ports by free ones.
 */
export function startPod(
  workload: Workload,
  cluster: Cluster,
  ports: Readonly<Record<number, number>>,
  copy = 0,
): RunningPod {
  const { name } = workload.metadata;
  const { spec } = workload.spec.template;
  const directory = join(cluster.machine.directory, `pod-${name}-${copy}`);
  const volumes = makeVolumes(spec, cluster, directory);
  for (const container of spec.initContainers ?? []) initialize(container, cluster, volumes);
  const container = serviceContainer(workload);
  if (!container) throw new Error(`${name} has no service`);
  const options = environmentOf(container, cluster, volumes);
  const machine = { ...cluster.machine, ports: { ...cluster.machine.ports, ...portOptions(ports) } };
  const running = startContainer(
    name,
    { image: container.image, command: container.args ?? [], environment: options },
    machine,
    copy,
  );
  return {
    ...running,
    ports,
    options,
    passes: (probe) => asks(container[probe], ports),
  };
}

const portOptions = (ports: Readonly<Record<number, number>>): Labels => ({
  ...Object.fromEntries(
    Object.entries(OPTIONS_OF_PORTS).flatMap(([port, names]) =>
      names.map((name) => [name, String(ports[Number(port)] ?? 0)]),
    ),
  ),
});

const OPTIONS_OF_PORTS: Readonly<Record<number, readonly string[]>> = {
  9100: ['SVC_AUTH__PORT'],
  9101: ['SVC_API__PORT'],
  9102: ['SVC_STREAM__PORT'],
  9103: [
    'SCHEDULER',
    'ACTIONRUNNER',
    'WORKFLOW_ENGINE',
    'TIMERSENGINE',
    'GARBAGECOLLECTOR',
    'RULESENGINE',
    'SENSORCONTAINER',
    'NOTIFIER',
  ].map((section) => `SVC_${section}__HEALTH_PORT`),
};

async function asks(probe: Probe | undefined, ports: Readonly<Record<number, number>>): Promise<boolean> {
  const { path, port } = probe?.httpGet ?? { path: '', port: 0 };
  return fetch(`http://127.0.0.1:${ports[port]}${path}`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** A directory for each volume. */
function makeVolumes({ volumes = [] }: PodSpec, cluster: Cluster, directory: string): ReadonlyMap<string, string> {
  return new Map(
    volumes.map((volume) => {
      const claim = volume.persistentVolumeClaim?.claimName;
      const path = claim ? join(cluster.machine.directory, `claim-${claim}`) : join(directory, volume.name);
      mkdirSync(path, { recursive: true });
      for (const [key, value] of Object.entries(filesOf(volume, cluster))) writeFileSync(join(path, key), value);
      return [volume.name, path];
    }),
  );
}

function filesOf({ secret, configMap, projected }: Volume, cluster: Cluster): Labels {
  if (projected) return filesOfSources(projected.sources, cluster);
  if (configMap)
    return ofKind(cluster.manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMap.name)?.data ?? {};
  return secret ? secretOf(secret.secretName, cluster) : {};
}

function filesOfSources(sources: NonNullable<Volume['projected']>['sources'], cluster: Cluster): Labels {
  const files = sources.flatMap(({ secret: { name, items } }) => {
    const keys = secretOf(name, cluster);
    return items.map(({ key, path }) => [path, keys[key] ?? ''] as const);
  });
  return Object.fromEntries(files);
}

/** The keys of a Secret: of the release, or given. */
function secretOf(name: string, { manifests, secrets }: Cluster): Labels {
  const made = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === name);
  const decoded = Object.entries(made?.data ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ]);
  const all = { ...(Object.fromEntries(decoded) as Labels), ...made?.stringData, ...secrets[name] };
  if (Object.keys(all).length === 0) throw new Error(`there is no Secret ${name}`);
  return all;
}

/** Replaces the paths of mounts in a text, the longest that fits. */
function local(text: string, places: ReadonlyMap<string, string>): string {
  const paths = [...places.keys()].sort((a, b) => b.length - a.length);
  return text.replace(
    new RegExp(`(?<![\\w.-])(${paths.join('|')})(?![\\w.-])`, 'g'),
    (path) => places.get(path) as string,
  );
}

const placesOf = ({ volumeMounts }: PodContainer, volumes: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(volumeMounts.map(({ name, mountPath }) => [mountPath, volumes.get(name) as string]));

function initialize(container: PodContainer, cluster: Cluster, volumes: ReadonlyMap<string, string>): void {
  const places = placesOf(container, volumes);
  for (const [path, source] of Object.entries(cluster.images)) places.set(path, source);
  const [program = '', ...args] = (container.command ?? []).map((word) => local(word, places));
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${container.name}: ${stderr}`);
}

function environmentOf(container: PodContainer, cluster: Cluster, volumes: ReadonlyMap<string, string>): Labels {
  const places = placesOf(container, volumes);
  const valueOf = ({ value = '', valueFrom }: EnvironmentEntry) =>
    valueFrom ? (secretOf(valueFrom.secretKeyRef.name, cluster)[valueFrom.secretKeyRef.key] as string) : value;
  const options = { SVC_SYSTEM__BASE_PATH: '/opt/switchyard', TMPDIR: '/tmp' };
  const rendered = Object.fromEntries((container.env ?? []).map((entry) => [entry.name, valueOf(entry)]));
  return Object.fromEntries(
    Object.entries({ ...options, ...rendered }).map(([name, value]) => [name, local(value, places)]),
  );
}
