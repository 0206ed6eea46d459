import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ControlPlane } from './control-plane';
import { isReady, type LivePod } from './inspection';

/** What an adapter for external metrics and the metrics server of Kubernetes would serve. */
export interface MetricsServer {
  /** The values of external metrics, by name and selector: `name pool in (x)`. All others are 0. */
  readonly values: Record<string, number>;
  /** The external metrics that were asked for, in the same form. */
  readonly asked: ReadonlySet<string>;
  stop(): Promise<void>;
}

const GROUPS = ['external.metrics.k8s.io', 'metrics.k8s.io'];

/** Starts a server for metrics, and makes the API server forward requests for them. */
export async function startMetricsServer(cluster: ControlPlane): Promise<MetricsServer> {
  const values: Record<string, number> = {};
  const asked = new Set<string>();
  const answer = async (url: URL): Promise<object | undefined> => {
    const [, , group = '', version, , namespace = '', name] = url.pathname.split('/');
    if (!GROUPS.includes(group)) return undefined;
    if (namespace === '') return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, resources: [] }; // oxfmt-ignore
    const selector = url.searchParams.get('labelSelector') ?? '';
    if (group === 'metrics.k8s.io') return usage(cluster, namespace, selector);
    const series = `${name} ${selector}`;
    asked.add(series);
    return external(name ?? '', values[series] ?? 0);
  };
  const server = createServer(cluster.certificate, (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    answer(new URL(request.url ?? '/', 'https://localhost')).then(
      (body) => send(body === undefined ? 404 : 200, body ?? {}),
      (error: unknown) => send(500, { message: String(error) }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await register(cluster, (server.address() as AddressInfo).port);
  return {
    values,
    asked,
    async stop() {
      await cluster.kubectl(['delete', 'apiservice', ...GROUPS.map((group) => `v1beta1.${group}`)]);
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const external = (metricName: string, value: number): object => ({
  kind: 'ExternalMetricValueList',
  apiVersion: 'external.metrics.k8s.io/v1beta1',
  metadata: {},
  items: [{ metricName, metricLabels: {}, timestamp: new Date().toISOString(), value: String(value) }],
});

/** Every container uses a tenth of a processor. */
async function usage(cluster: ControlPlane, namespace: string, selector: string): Promise<object> {
  const pods = await cluster.list<LivePod>(namespace, 'pods', '--selector', selector);
  return {
    kind: 'PodMetricsList',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: {},
    items: pods.filter(isReady).map(({ metadata, spec }) => ({
      metadata,
      timestamp: new Date().toISOString(),
      window: '15s',
      containers: spec.containers.map(({ name }) => ({ name, usage: { cpu: '100m', memory: '100Mi' } })),
    })),
  };
}

async function register(cluster: ControlPlane, port: number): Promise<void> {
  const namespace = 'kube-system';
  await cluster.apply(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'metrics', namespace },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
    },
    ...GROUPS.map((group) => ({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1beta1.${group}` },
      spec: {
        group,
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name: 'metrics', namespace, port },
      },
    })),
  );
  const names = GROUPS.map((group) => `apiservice/v1beta1.${group}`);
  await cluster.kubectl(['wait', '--for=condition=Available', ...names, '--timeout=60s']);
}
