import type { ControlPlane } from './control-plane';

interface Named {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

interface Keyed extends Named {
  readonly data?: Readonly<Record<string, string>>;
}

interface Volume {
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  readonly configMap?: { readonly name: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret?: { readonly name: string; readonly items?: readonly { readonly key: string }[] };
    }[];
  };
}

interface Container {
  readonly name: string;
  readonly env?: readonly {
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
  }[];
  readonly envFrom?: readonly {
    readonly secretRef?: { readonly name: string };
    readonly configMapRef?: { readonly name: string };
  }[];
}

/** The parts of a pod that are looked at. */
export interface LivePod extends Named {
  readonly metadata: Named['metadata'] & {
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly terminationGracePeriodSeconds: number;
    readonly volumes?: readonly Volume[];
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export const componentOf = ({ metadata }: Named): string => metadata.labels?.['app.kubernetes.io/component'] ?? '';

export const isReady = ({ metadata, status }: LivePod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');

/**
 * What keeps pods from running: those that are not scheduled or not ready; and Secrets, ConfigMaps, their keys, and claims that do not
 * exist, for which a node would wait. kwok does not look at these.
 */
export async function obstacles(cluster: ControlPlane, namespace: string): Promise<string[]> {
  const pods = await cluster.list<LivePod>(namespace, 'pods');
  const [secrets, maps, claims] = await Promise.all([
    cluster.list<Keyed>(namespace, 'secrets'),
    cluster.list<Keyed>(namespace, 'configmaps'),
    cluster.list<Named>(namespace, 'persistentvolumeclaims'),
  ]);
  const known = new Set([
    ...secrets.flatMap((each) =>
      ['', ...Object.keys(each.data ?? {})].map((key) => secretKey(each.metadata.name, key)),
    ),
    ...maps.map(({ metadata }) => `ConfigMap ${metadata.name}`),
    ...claims.map(({ metadata }) => `claim ${metadata.name}`),
  ]);
  const missing = pods.flatMap(references).filter((name) => !known.has(name));
  return [
    ...pods
      .filter(({ spec }) => spec.nodeName === undefined)
      .map(({ metadata }) => `${metadata.name} is not scheduled`),
    ...pods.filter((pod) => !isReady(pod)).map(({ metadata }) => `${metadata.name} is not ready`),
    ...[...new Set(missing)].map((name) => `there is no ${name}`),
  ];
}

const secretKey = (name: string, key = ''): string => `Secret ${name}${key && `, key ${key}`}`;

function references({ spec }: LivePod): string[] {
  const ofSecret = (name: string, items: readonly { readonly key: string }[] = []) =>
    items.length > 0 ? items.map(({ key }) => secretKey(name, key)) : [secretKey(name)];
  const ofVolumes = (spec.volumes ?? []).flatMap(({ secret, configMap, persistentVolumeClaim: claim, projected }) => [
    ...(secret ? ofSecret(secret.secretName, secret.items) : []),
    ...(configMap ? [`ConfigMap ${configMap.name}`] : []),
    ...(claim ? [`claim ${claim.claimName}`] : []),
    ...(projected?.sources ?? []).flatMap((source) =>
      source.secret ? ofSecret(source.secret.name, source.secret.items) : [],
    ),
  ]);
  const ofContainers = [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) =>
      valueFrom?.secretKeyRef ? [secretKey(valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key)] : [],
    ),
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...(secretRef ? [secretKey(secretRef.name)] : []),
      ...(configMapRef ? [`ConfigMap ${configMapRef.name}`] : []),
    ]),
  ]);
  return [...ofVolumes, ...ofContainers];
}

/** Components with several pods on one node, although there are enough nodes. */
export async function crowded(cluster: ControlPlane, namespace: string, nodes: number): Promise<string[]> {
  const pods = (await cluster.list<LivePod>(namespace, 'pods')).filter(isReady);
  return [...new Set(pods.map(componentOf))].flatMap((component) => {
    const all = pods.filter((pod) => componentOf(pod) === component);
    const used = new Set(all.map(({ spec }) => spec.nodeName)).size;
    return used < Math.min(all.length, nodes) ? [`${component}: ${all.length} pods on ${used} nodes`] : [];
  });
}

/** The warnings among the events of a namespace, each once, with names of single pods shortened. */
export async function warnings(cluster: ControlPlane, namespace: string): Promise<string[]> {
  interface Event {
    readonly reason: string;
    readonly message: string;
  }
  const events = await cluster.list<Event>(namespace, 'events', '--field-selector', 'type=Warning');
  const found = events.map(({ reason, message }) => `${reason}: ${message}`);
  return [...new Set(found.filter((warning) => !TRANSIENT.test(warning)))];
}

/** Kubernetes tries again: after concurrent changes, and while a pod that has just started has no metrics. */
const TRANSIENT = /the object has been modified|no metrics returned|did not receive metrics/;

/** Everything in a namespace that somebody has put there, as `kind/name`. */
export async function contents(cluster: ControlPlane, namespace: string): Promise<string[]> {
  const listed = await cluster.kubectl(['api-resources', '--verbs=list', '--namespaced', '--output', 'name']);
  const kinds = listed.split('\n').filter((kind) => kind !== '' && !/^events|^leases|metrics\.k8s\.io/.test(kind));
  const found = await cluster.kubectl(['get', kinds.join(','), '--namespace', namespace, '--output', 'name']);
  const own = /^(configmap\/kube-root-ca\.crt|serviceaccount\/default)$/;
  return found
    .split('\n')
    .filter((name) => name !== '' && !own.test(name))
    .sort();
}
