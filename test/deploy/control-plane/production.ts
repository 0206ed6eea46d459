import { definitionsOf } from './binaries';
import { until } from './control-plane';
import { contents } from './inspection';
import { watchPods, type PodsWatch } from './pods-watch';
import { chartValues, CHART, checkManifests, checkRunning, createNamespace, releaseOf, secretOf, settle, uninstall, WAITING, type Release, type Scene } from './release'; // oxfmt-ignore
import type { Step } from './report';

const NAMESPACE = 'production';

interface Stage {
  readonly scene: Scene;
  readonly release: Release;
  readonly watch: PodsWatch;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The values in `test/deploy/chart-values/production.yaml`, whose pools KEDA scales. KEDA itself does not run: the test takes its place. */
export async function tryProduction(scene: Scene, binaries: string): Promise<void> {
  const { report, cluster } = scene;
  await createPrerequisites(scene, binaries);
  const before = await contents(cluster, NAMESPACE);
  const stage: Stage = {
    scene,
    release: releaseOf(scene, 'sy', NAMESPACE),
    watch: await watchPods(cluster, NAMESPACE),
    values: chartValues('production'),
  };
  await report.step('production: manifests', async (step) => checkManifests(scene, step, stage.values, NAMESPACE));
  await report.step('production: install', async (step) => install(stage, step));
  await report.step('production: upgrade of scaled pools', async (step) => upgradeScaled(stage, step));
  await report.step('production: a pool gets an autoscaler', async (step) => addAutoscaler(stage, step));
  await report.step('production: uninstall', async (step) =>
    step.equal('what is left', await uninstall(scene, stage.release, before), []),
  );
  await stage.watch.stop();
}

/** What the values name, and the definitions of resources of KEDA and of the Prometheus operator. */
async function createPrerequisites(scene: Scene, binaries: string): Promise<void> {
  const { cluster } = scene;
  for (const product of ['keda', 'prometheus'] as const) {
    const directory = await definitionsOf(product, binaries);
    // They are too large for the annotation of a client-side apply.
    await cluster.kubectl(['apply', '--server-side', '--filename', directory]);
  }
  await cluster.kubectl(['wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=60s']);
  await createNamespace(scene, NAMESPACE);
  const metadata = (name: string) => ({ name, namespace: NAMESPACE });
  await cluster.apply(
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'automation' }, value: 1000 },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('gpu') },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: metadata('packs'),
      spec: {
        storageClassName: 'nfs',
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '1Gi' } },
      },
    },
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'TriggerAuthentication',
      metadata: metadata('prometheus'),
      spec: { secretTargetRef: [{ parameter: 'bearerToken', name: 'options', key: 'token' }] },
    },
    ...SECRETS.map(([name, ...keys]) => secretOf(NAMESPACE, name, ...keys)),
  );
}

const SECRETS: readonly [name: string, ...keys: string[]][] = [
  ['registry', 'x'],
  ['sso', 'kwargs'],
  ['tls', 'password'],
  ['options', 'token'],
  ['keys', 'record_keys.json', 'datastore_key.json'],
  ['git-https', 'username', 'password'],
  ['git-ssh', 'ssh', 'known_hosts'],
  ['registration', 'url'],
  ['mongodb', 'password'],
  ['rabbitmq', 'url', 'management-url'],
  ['svc-tls', 'tls.crt', 'tls.key'],
];

async function install({ scene, release, values }: Stage, step: Step): Promise<void> {
  const { code, stderr } = await release.tryHelm(values, 'install', CHART, ...WAITING);
  step.equal('installation', [code, stderr], [0, '']);
  await checkRunning(scene, step, release);
  const scaled = await scene.cluster.list<{ metadata: { name: string } }>(NAMESPACE, 'scaledobjects');
  step.equal('ScaledObjects', scaled.map(({ metadata }) => metadata.name).sort(), [
    'sy-switchyard-runner-default',
    'sy-switchyard-runner-gpu',
  ]);
}

/** An upgrade leaves the number of action runners to the autoscaler, also none. */
async function upgradeScaled(stage: Stage, step: Step): Promise<void> {
  const { scene, release, values, watch } = stage;
  await scaleTo(stage, 'default', 4);
  await scaleTo(stage, 'gpu', 0);
  watch.mark();
  await release.upgrade({ ...values, config: '[garbagecollector]\naction_executions_ttl = 30\n' });
  await settle(scene, NAMESPACE);
  step.equal('replicas', [await replicasOf(stage, 'default'), await replicasOf(stage, 'gpu')], [4, 0]);
  step.equal('action runners that could serve at any time', watch.lowest()['runner-default'], 4);
  await scaleTo(stage, 'gpu', 2);
  await checkRunning(scene, step, release);
}

/** Documented: without its number in the manifest, Kubernetes sets a Deployment to one pod, until the autoscaler sets another number. */
async function addAutoscaler(stage: Stage, step: Step): Promise<void> {
  const { scene, release, values, watch } = stage;
  const fixed = { ...values, pools: { ...(values['pools'] as object), default: { replicas: 4 } } };
  await release.upgrade(fixed);
  await settle(scene, NAMESPACE);
  step.equal('replicas without an autoscaler', await replicasOf(stage, 'default'), 4);
  watch.mark();
  await release.upgrade(values);
  await settle(scene, NAMESPACE);
  step.equal('replicas with one', await replicasOf(stage, 'default'), 1);
  step.equal('action runners that could serve at any time', watch.lowest()['runner-default'], 1);
}

async function scaleTo({ scene, watch }: Stage, pool: string, replicas: number): Promise<void> {
  const target = `deployment/sy-switchyard-runner-${pool}`;
  await scene.cluster.kubectl(['scale', target, `--replicas=${replicas}`, '--namespace', NAMESPACE]);
  await until(`${replicas} action runners`, async () => watch.ready(`runner-${pool}`) === replicas);
}

async function replicasOf({ scene }: Stage, pool: string): Promise<number> {
  const found = await scene.cluster.kubectl([
    ...['get', `deployment/sy-switchyard-runner-${pool}`, '--namespace', NAMESPACE],
    ...['--output', 'jsonpath={.spec.replicas}'],
  ]);
  return Number(found);
}
