import type { ControlPlane } from './control-plane';

const ZONES = ['a', 'b', 'c'];
/** Two nodes in each zone; and two with an accelerator, which only pods that tolerate its taint may use. */
export const WORKERS = ZONES.flatMap((zone) => [1, 2].map((number) => ({ name: `worker-${zone}${number}`, zone })));
const ACCELERATED = [1, 2].map((number) => ({ name: `gpu-${number}`, zone: ZONES[number] ?? 'a' }));

/** Creates nodes, which kwok plays, and volumes for claims. */
export async function createNodes(cluster: ControlPlane): Promise<void> {
  await cluster.apply(
    ...WORKERS.map(({ name, zone }) => node(name, zone)),
    ...ACCELERATED.map(({ name, zone }) =>
      node(name, zone, { accelerator: 'gpu' }, [{ key: 'gpu', effect: 'NoSchedule' }]),
    ),
    storageClass('standard', true),
    storageClass('nfs', false),
    ...[1, 2, 3, 4, 5, 6].map((number) => volume(`disk-${number}`, 'standard', 'ReadWriteOnce')),
    ...[1, 2].map((number) => volume(`share-${number}`, 'nfs', 'ReadWriteMany')),
  );
  await cluster.kubectl(['wait', '--for=condition=Ready', 'nodes', '--all', '--timeout=120s']);
}

function node(name: string, zone: string, labels: object = {}, taints: object[] = []): object {
  const capacity = { cpu: '2', memory: '4Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': zone,
        ...labels,
      },
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
    },
    spec: { taints },
    status: { capacity, allocatable: capacity },
  };
}

const storageClass = (name: string, isDefault: boolean): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) } },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
});

const volume = (name: string, storageClassName: string, mode: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    storageClassName,
    accessModes: [mode],
    capacity: { storage: '20Gi' },
    hostPath: { path: `/volumes/${name}` },
  },
});
