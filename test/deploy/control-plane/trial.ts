import { until } from './control-plane';
import { componentOf, contents, isReady, type LivePod } from './inspection';
import { BROKEN_TAG, ENDS_AFTER } from './kwok-stages';
import { WORKERS } from './nodes';
import { watchPods, type PodsWatch } from './pods-watch';
import { CHART, chartWithVersion, checkManifests, checkRunning, createNamespace, releaseOf, settle, uninstall, WAITING, type Release, type Scene } from './release'; // oxfmt-ignore
import type { Step } from './report';

const NAMESPACE = 'automation';
const VALUES = {
  publicUrl: 'https://svc.example.org',
  image: { repository: 'registry.example.org/switchyard' },
  accounts: { existingSecret: 'accounts' },
  poolDefaults: { drainSeconds: 15 },
  // Long enough to be seen.
  defaults: { podAnnotations: { [ENDS_AFTER]: '5s' } },
};
/** The grace period of services, and what a pool adds to the time to drain. */
const GRACE_SECONDS = 75;
const SERVERS = ['mongodb', 'rabbitmq'];

interface Stage {
  readonly scene: Scene;
  readonly release: Release;
  readonly watch: PodsWatch;
}

/** A trial installation as docs/kubernetes.md describes it, from its installation to its removal. */
export async function tryTrial(scene: Scene): Promise<void> {
  const { report, cluster } = scene;
  await createNamespace(scene, NAMESPACE);
  const before = await contents(cluster, NAMESPACE);
  const stage: Stage = {
    scene,
    release: releaseOf(scene, 'svc', NAMESPACE),
    watch: await watchPods(cluster, NAMESPACE),
  };
  await report.step('trial: manifests', async (step) => checkManifests(scene, step, VALUES, NAMESPACE));
  await report.step('trial: install', async (step) => install(stage, step));
  await report.step('trial: upgrade with another configuration', async (step) => changeConfiguration(stage, step));
  await report.step('trial: upgrade of the chart', async (step) => upgradeChart(stage, step));
  await report.step('trial: upgrade to a broken image, and rollback', async (step) => breakAndRollBack(stage, step));
  await report.step('trial: scale out and in', async (step) => scale(stage, step));
  await report.step('trial: an action runner that drains to the end', async (step) => drainToTheEnd(stage, step));
  await report.step('trial: evictions', async (step) => evict(stage, step));
  await report.step('trial: drain of every node', async (step) => drainNodes(stage, step));
  await report.step('trial: uninstall, and install again', async (step) => remove(stage, step, before));
  await stage.watch.stop();
}

async function install({ scene, release }: Stage, step: Step): Promise<void> {
  const { stderr, stdout } = await release.helm(
    ...(['install', CHART] as const),
    ...['--set', 'image.repository=registry.example.org/switchyard'],
    ...['--set', 'publicUrl=https://svc.example.org', '--set', 'accounts.existingSecret=accounts'],
    ...WAITING,
  );
  step.equal('messages of helm', stderr, '');
  step.equal('hint in the notes', stdout.includes('exec -it deploy/svc-switchyard-client -- svc login USER'), true);
  await checkRunning(scene, step, release);
  const pods = await podsOf(scene);
  step.note(`${pods.length} pods on ${new Set(pods.map(({ spec }) => spec.nodeName)).size} nodes`);
}

const podsOf = async ({ cluster }: Scene): Promise<LivePod[]> => cluster.list<LivePod>(NAMESPACE, 'pods');

async function secretsOf({ cluster }: Scene): Promise<unknown> {
  const secrets = await cluster.list<{ metadata: { name: string }; data: unknown }>(NAMESPACE, 'secrets');
  return secrets
    .filter(({ metadata }) => metadata.name.startsWith('svc-switchyard-'))
    .map(({ metadata, data }) => [metadata.name, data]);
}

/** Upgrades while the pods are watched. @returns the components whose pods have been replaced */
async function watched({ scene, watch }: Stage, step: Step, upgrade: () => Promise<void>): Promise<string[]> {
  const secrets = await secretsOf(scene);
  const old = new Map((await podsOf(scene)).filter(isReady).map((pod) => [pod.metadata.uid, componentOf(pod)]));
  watch.mark();
  const full = watch.lowest();
  await upgrade();
  await settle(scene, NAMESPACE);
  const replicated = (low: PodsWatch['lowest']) =>
    Object.fromEntries(Object.entries(low()).filter(([component]) => (full[component] ?? 0) > 1));
  step.equal(
    'pods that could serve at any time',
    replicated(watch.lowest),
    replicated(() => full),
  );
  step.equal('Secrets', await secretsOf(scene), secrets);
  for (const { metadata } of (await podsOf(scene)).filter(isReady)) old.delete(metadata.uid);
  step.note(`${old.size} pods replaced`);
  return [...new Set(old.values())].sort();
}

async function changeConfiguration(stage: Stage, step: Step): Promise<void> {
  const { release, scene } = stage;
  const replaced = await watched(stage, step, async () => {
    const { stderr } = await release.upgrade({ ...VALUES, config: '[log]\nlevel = DEBUG\n' });
    step.equal('messages of helm', stderr, '');
  });
  const all = [...new Set((await podsOf(scene)).map(componentOf))].sort();
  step.equal(
    'replaced components',
    replaced,
    all.filter((each) => ![...SERVERS, 'client'].includes(each)),
  );
  await checkRunning(scene, step, release);
}

async function upgradeChart(stage: Stage, step: Step): Promise<void> {
  const { release, scene } = stage;
  const chart = chartWithVersion(scene, '9.0.0');
  const replaced = await watched(stage, step, async () => void (await release.upgrade(VALUES, chart)));
  step.equal(
    'replaced servers',
    replaced.filter((each) => SERVERS.includes(each)),
    [],
  );
  await checkRunning(scene, step, release);
}

/** A new version that does not start stops the upgrade, and nobody notices. */
async function breakAndRollBack(stage: Stage, step: Step): Promise<void> {
  const { release, scene } = stage;
  const replaced = await watched(stage, step, async () => {
    const image = { ...VALUES.image, tag: BROKEN_TAG };
    const { code } = await release.tryHelm({ ...VALUES, image }, 'upgrade', CHART, '--wait', '--timeout', '20s');
    step.equal('exit code of the upgrade', code, 1);
    await release.helm('rollback', ...WAITING);
  });
  step.equal('replaced servers', replaced, []);
  await checkRunning(scene, step, release);
}

async function scale({ scene, release, watch }: Stage, step: Step): Promise<void> {
  const { cluster } = scene;
  const to = async (component: string, replicas: number) => {
    const target = `deployment/svc-switchyard-${component}`;
    await cluster.kubectl(['scale', target, `--replicas=${replicas}`, '--namespace', NAMESPACE]);
  };
  for (const component of ['api', 'runner-default']) await to(component, 6);
  const has = (count: number) => async () =>
    ['api', 'runner-default'].every((component) => watch.ready(component) === count);
  await until('six pods of each', has(6));
  await checkRunning(scene, step, release);
  watch.mark();
  for (const component of ['api', 'runner-default']) await to(component, 2);
  const ending = await untilEnding(scene, 8);
  step.equal(
    'grace periods',
    Object.fromEntries(ending.map((pod) => [componentOf(pod), pod.metadata.deletionGracePeriodSeconds])),
    { api: GRACE_SECONDS, 'runner-default': VALUES.poolDefaults.drainSeconds + GRACE_SECONDS },
  );
  await until('two pods of each', has(2));
  await settle(scene, NAMESPACE);
  const { api, 'runner-default': runners } = watch.lowest();
  step.equal('pods that could serve at any time', [api, runners], [2, 2]);
}

/** Waits until so many pods have been seen while they ended. */
async function untilEnding(scene: Scene, count: number): Promise<LivePod[]> {
  const seen = new Map<string, LivePod>();
  await until(`${count} pods to end`, async () => {
    for (const pod of await podsOf(scene))
      if (pod.metadata.deletionTimestamp !== undefined) seen.set(pod.metadata.uid, pod);
    return seen.size >= count;
  });
  return [...seen.values()];
}

/** A pod that uses its whole grace period gets it, and its successor does not wait for it. */
async function drainToTheEnd({ scene, watch }: Stage, step: Step): Promise<void> {
  const { cluster } = scene;
  const [runner] = (await podsOf(scene)).filter((pod) => componentOf(pod) === 'runner-default');
  const name = runner?.metadata.name ?? '';
  await cluster.kubectl(['annotate', 'pod', name, `${ENDS_AFTER}=all`, '--overwrite', '--namespace', NAMESPACE]);
  const begun = performance.now();
  await cluster.kubectl(['delete', 'pod', name, '--wait=false', '--namespace', NAMESPACE]);
  await until('its successor', async () => watch.ready('runner-default') === 2);
  step.note(`successor after ${seconds(begun)} s`);
  await cluster.kubectl(['wait', '--for=delete', `pod/${name}`, '--timeout=300s', '--namespace', NAMESPACE]);
  const expected = VALUES.poolDefaults.drainSeconds + GRACE_SECONDS;
  step.note(`ended after ${seconds(begun)} s of ${expected}`);
  step.equal('the whole grace period', Math.abs(seconds(begun) - expected) <= 3, true);
}

const seconds = (begun: number): number => Math.round((performance.now() - begun) / 1000);

/** Of two evictions at the same time, the budget permits one. */
async function evict({ scene, watch }: Stage, step: Step): Promise<void> {
  const { cluster } = scene;
  for (const component of ['api', 'runner-default']) {
    watch.mark();
    const names = (await podsOf(scene))
      .filter((pod) => componentOf(pod) === component && isReady(pod))
      .map(({ metadata }) => metadata.name);
    const evicted = await Promise.all(
      names.map(async (name) => {
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
        const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`;
        const { code, stderr } = await cluster.run(
          cluster.kubectlPath,
          ['create', '--raw', path, '--filename', '-'],
          JSON.stringify(eviction),
        );
        return code === 0 ? 'evicted' : /disruption budget/.test(stderr) ? 'refused' : stderr;
      }),
    );
    step.equal(`evictions of two pods of ${component}`, evicted.sort(), ['evicted', 'refused']);
    await until('the successor', async () => watch.ready(component) === 2);
    step.equal(`pods of ${component} that could serve at any time`, watch.lowest()[component], 1);
  }
}

async function drainNodes({ scene, release, watch }: Stage, step: Step): Promise<void> {
  const { cluster } = scene;
  watch.mark();
  const full = watch.lowest();
  let refused = 0;
  for (const { name } of WORKERS) {
    const { code, stderr } = await cluster.run(cluster.kubectlPath, [
      ...['drain', name, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=300s'],
    ]);
    step.equal(`drain of ${name}`, code, 0);
    refused += stderr.split('\n').filter((line) => line.includes('disruption budget')).length;
    await cluster.kubectl(['uncordon', name]);
  }
  await settle(scene, NAMESPACE);
  const below = Object.entries(watch.lowest()).filter(
    ([component, count]) => (full[component] ?? 0) > 1 && count < (full[component] ?? 0) - 1,
  );
  step.equal('components with fewer pods than their budgets permit', below, []);
  step.note(`${refused} evictions had to wait`);
  await checkRunning(scene, step, release);
}

const KEPT = [
  'persistentvolumeclaim/data-svc-switchyard-mongodb-0',
  'persistentvolumeclaim/data-svc-switchyard-rabbitmq-0',
  'secret/svc-switchyard-keys',
  'secret/svc-switchyard-servers',
];

async function remove({ scene, release }: Stage, step: Step, before: readonly string[]): Promise<void> {
  const secrets = await secretsOf(scene);
  step.equal('what is left', await uninstall(scene, release, before), KEPT);
  const { code, stderr } = await release.tryHelm(VALUES, 'install', CHART, ...WAITING);
  step.equal('second installation', [code, stderr], [0, '']);
  step.equal('Secrets', await secretsOf(scene), secrets);
  step.equal('what is left of it', await uninstall(scene, release, before), KEPT);
}
