import { until } from './control-plane';
import { contents } from './inspection';
import { startMetricsServer, type MetricsServer } from './metrics-server';
import { watchPods, type PodsWatch } from './pods-watch';
import { chartValues, CHART, checkManifests, checkRunning, createNamespace, releaseOf, settle, uninstall, WAITING, type Release, type Scene } from './release'; // oxfmt-ignore
import type { Step } from './report';

const NAMESPACE = 'small';
/** The longest name that Helm accepts, and with it the longest one of a pool that Kubernetes does not warn about. */
const RELEASE = 'an-installation-with-the-longest-name-that-helm-takes';
const POOL = 'pool-of-15-long';
/** Where the chart makes a pool grow: 80 % of the 60 slots of an action runner. */
const SLOTS_PER_RUNNER = 48;
const NEEDED = 'svc_pool_slots_needed pool in (default)';

interface Stage {
  readonly scene: Scene;
  readonly release: Release;
  readonly watch: PodsWatch;
  readonly metrics: MetricsServer;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The values in `test/deploy/chart-values/small.yaml`, whose pools HorizontalPodAutoscalers scale, with long names. */
export async function trySmall(scene: Scene): Promise<void> {
  const { report, cluster } = scene;
  await createNamespace(scene, NAMESPACE);
  const before = await contents(cluster, NAMESPACE);
  const own = chartValues('small');
  const stage: Stage = {
    scene,
    release: releaseOf(scene, RELEASE, NAMESPACE),
    watch: await watchPods(cluster, NAMESPACE),
    metrics: await startMetricsServer(cluster),
    values: {
      ...own,
      poolDefaults: { autoscaling: { scaleDownSeconds: 60 } },
      pools: { ...(own['pools'] as object), [POOL]: { autoscaling: { kind: 'hpa', minReplicas: 2 } } },
    },
  };
  await report.step('small: manifests', async (step) => checkManifests(scene, step, stage.values, NAMESPACE));
  await report.step('small: install', async (step) => install(stage, step));
  await report.step('small: scale out', async (step) => scaleOut(stage, step));
  await report.step('small: upgrade at that size', async (step) => upgrade(stage, step));
  await report.step('small: scale in', async (step) => scaleIn(stage, step));
  await report.step('small: uninstall', async (step) =>
    step.equal('what is left', await uninstall(scene, stage.release, before), [
      `persistentvolumeclaim/${shortened('shared')}`,
      `persistentvolumeclaim/data-${shortened('mongodb')}-0`,
      `persistentvolumeclaim/data-${shortened('rabbitmq')}-0`,
      `secret/${shortened('servers')}`,
    ]),
  );
  await stage.metrics.stop();
  await stage.watch.stop();
}

const shortened = (component: string): string => `${RELEASE.slice(0, 40).replace(/-$/, '')}-${component}`;

async function install({ scene, release, values, watch }: Stage, step: Step): Promise<void> {
  const { code, stderr } = await release.tryHelm(values, 'install', CHART, ...WAITING);
  step.equal('installation', [code, stderr], [0, '']);
  await until('the least number of action runners', async () => watch.ready(`runner-${POOL}`) === 2);
  await checkRunning(scene, step, release);
}

async function scaleOut({ metrics, watch }: Stage, step: Step): Promise<void> {
  metrics.values[NEEDED] = 4 * SLOTS_PER_RUNNER;
  const begun = performance.now();
  await until('four action runners', async () => watch.ready('runner-default') === 4);
  step.note(`1 to 4 action runners after ${secondsSince(begun)} s`);
  metrics.values[NEEDED] = 400 * SLOTS_PER_RUNNER;
  await until('as many action runners as permitted', async () => watch.ready('runner-default') === 5);
  const requested = ['svc_pool_slots_needed', 'svc_pool_waiting_age_seconds'].flatMap((name) =>
    ['default', POOL].map((pool) => `${name} pool in (${pool})`),
  );
  step.equal('requested metrics', [...metrics.asked].sort(), requested);
}

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 1000);

async function upgrade({ scene, release, values, watch }: Stage, step: Step): Promise<void> {
  watch.mark();
  await release.upgrade({ ...values, config: '[log]\nlevel = DEBUG\n' });
  await settle(scene, NAMESPACE);
  step.equal('action runners that could serve at any time', watch.lowest()['runner-default'], 5);
  await checkRunning(scene, step, release);
}

/**
 * One pod a minute, after the need has been lower for a minute. The autoscaler may remove pods that it added less than a minute ago at
 * once, which a shorter time would show.
 */
async function scaleIn({ metrics, watch }: Stage, step: Step): Promise<void> {
  metrics.values[NEEDED] = SLOTS_PER_RUNNER;
  const ends: number[] = [performance.now()];
  for (const count of [4, 3]) {
    await until(`${count} action runners`, async () => watch.ready('runner-default') <= count);
    step.equal('action runners', watch.ready('runner-default'), count);
    ends.push(performance.now());
  }
  const [begun = 0, first = 0, second = 0] = ends.map((end) => Math.round(end / 1000));
  step.note(`one action runner less after ${first - begun} s, another one ${second - first} s later`);
  step.equal('at least a minute before each', Math.min(first - begun, second - first) >= 55, true);
}
