import { loadConfig, type Config } from '@switchyard/config';
import { serviceNames } from '@switchyard/all-in-one';
import { parseKeyRing } from '@switchyard/storage';
import { CHART, hasHelm, hasValidator, helmTemplate, ofKind, render, selects, serviceContainer, validate, valuesIn, workloads, type Labels, type Manifest, type PodContainer, type PodSpec, type Volume, type Workload } from './chart'; // oxfmt-ignore
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageEnvironment } from './deployment-files';
import { parse } from 'yaml';
import { read, ROOT } from '../architecture/workspace';

const SETS = ['trial', 'production', 'small'];
/** Kinds that Kubernetes itself does not have: of KEDA and of the Prometheus operator. */
const FOREIGN = ['ScaledObject', 'TriggerAuthentication', 'PodMonitor'];
const described = hasHelm() ? describe : describe.skip;

/** Where containers see the files of Secrets, and a directory with them. */
const MOUNTED = '/etc/switchyard-secrets';
const secrets = mkdtempSync(join(tmpdir(), 'svc-chart-secrets-'));
afterAll(() => rmSync(secrets, { recursive: true }));

/** The configuration of a service in a container, with secrets replaced. */
function loaded({ env = [] }: PodContainer) {
  const options = env.map(({ name, value }) => {
    if (!value?.startsWith(`${MOUNTED}/`)) return [name, value ?? 'hidden'] as const;
    const file = value.replace(MOUNTED, secrets);
    writeFileSync(file, secretOf(name));
    return [name, file] as const;
  });
  // The file's content is up to the user.
  const { SVC_CONFIG_PATH: _, ...environment } = { ...imageEnvironment(), ...Object.fromEntries(options) };
  return loadConfig({ environment });
}

const secretOf = (name: string): string =>
  ({ SVC_MESSAGING__URL_FILE: 'amqp://svc:pw@bus:5672', SVC_AUTH__SSO_BACKEND_KWARGS_FILE: '{}' })[name] ?? 'hidden';

/** Where a service listens, by its options. */
const portsOf = (services: readonly string[], { api, auth, stream }: Config): Record<string, number> => {
  const listeners = { api: api.port, auth: auth.port, stream: stream.port };
  const named = Object.entries(listeners).filter(([name]) => services.includes(name));
  return named.length > 0 ? Object.fromEntries(named) : { health: 9103 };
};

described.each(SETS)('the chart with the values %s', (set) => {
  let manifests: Manifest[];
  let ours: (readonly [Workload, PodContainer])[];
  const pods = (): PodSpec[] => workloads(manifests).map(({ spec }) => spec.template.spec);

  beforeAll(() => {
    manifests = render(valuesIn(set));
    ours = workloads(manifests).flatMap((workload) => {
      const container = serviceContainer(workload);
      return container ? [[workload, container] as const] : [];
    });
  });

  (hasValidator() ? it : it.skip).each(['1.25', '1.31', '1.37'])('is valid for Kubernetes %s', (version) => {
    const { text, error } = helmTemplate(valuesIn(set), version);
    expect(error).toBe('');
    const { status, findings } = validate(text, version);
    const isForeign = (line: string) => FOREIGN.some((kind) => line.includes(`Couldn't find schema for kind ${kind} `));
    expect(findings.filter((line) => !isForeign(line))).toEqual([]);
    expect(status).toBe(0);
  });

  it('gives each manifest a name of its own', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('runs every service once, and action runners in each pool', () => {
    const names = ours.flatMap(([, { args = [] }]) => args.join(',').split(','));
    const pools = Object.keys((valuesIn(set) as { pools?: object }).pools ?? { default: {} });
    expect(names.filter((name) => name === 'action-runner').length).toBe(pools.length);
    expect([...new Set(names)].sort()).toEqual([...serviceNames].sort());
    expect(names.length).toBe(serviceNames.length - 1 + pools.length);
  });

  it('gives services existing options with valid values', () => {
    const warnings = ours.map(([{ metadata }, container]) => [metadata.name, loaded(container).warnings]);
    expect(warnings.filter(([, found]) => found?.length)).toEqual([]);
  });

  it('puts every service on the same store and bus', () => {
    const places = ours.map(([, container]) => {
      const { storage, database, messaging, content } = loaded(container).config;
      return JSON.stringify([storage.driver, database, messaging, content.packs_base_paths]);
    });
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toContain('mongodb');
  });

  it('gives services their secrets as files, not in the environment', () => {
    for (const [{ spec }, { env = [], volumeMounts }] of ours) {
      const files = env.flatMap(({ name, value = '' }) => (value.startsWith(MOUNTED) ? [[name, value]] : []));
      expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(['SVC_MESSAGING__URL_FILE']));
      const { projected } = (spec.template.spec.volumes ?? []).find(({ name }) => name === 'secrets') as Volume;
      const paths = projected?.sources.flatMap(({ secret }) => secret.items.map(({ path }) => `${MOUNTED}/${path}`));
      expect(files.map(([, path]) => path)).toEqual(paths);
      expect(volumeMounts).toContainEqual({ name: 'secrets', mountPath: MOUNTED, readOnly: true });
      const fromSecrets = env.filter(({ valueFrom }) => valueFrom).map(({ name }) => name);
      const asked = JSON.stringify((valuesIn(set) as { extraEnvironment?: object[] }).extraEnvironment ?? []);
      expect(fromSecrets.filter((name) => !asked.includes(name))).toEqual([]);
    }
    const servers = workloads(manifests).filter(({ kind }) => kind === 'StatefulSet');
    const env = servers.flatMap(({ spec }) => spec.template.spec.containers.flatMap((each) => each.env ?? []));
    expect(env.filter(({ valueFrom }) => valueFrom)).toEqual([]);
  });

  it('probes and names the ports on which the services listen', () => {
    for (const [{ metadata, spec }, container] of ours) {
      const expected = portsOf((container.args ?? []).join(',').split(','), loaded(container).config);
      const ports = Object.fromEntries((container.ports ?? []).map(({ name, containerPort }) => [name, containerPort]));
      expect([metadata.name, ports]).toEqual([metadata.name, expected]);
      const port = ports['api'] ?? Object.values(ports)[0];
      const { startupProbe, livenessProbe, readinessProbe } = container;
      expect(startupProbe?.httpGet).toEqual({ path: '/healthz', port });
      expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port });
      expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port });
      const { annotations = {} } = spec.template.metadata;
      expect([undefined, String(port)]).toContain(annotations['prometheus.io/port']);
    }
  });

  it('gives action runners more time to end than they take to drain', () => {
    for (const [{ spec }, container] of ours.filter(([, { args }]) => args?.[0] === 'action-runner')) {
      const { exit_still_active_check: drainSeconds, graceful_shutdown: graceful } =
        loaded(container).config.actionrunner;
      expect(graceful).toBe(true);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSeconds + 60);
    }
  });

  it('runs nothing as root or with capabilities, and our images on a file system that is read-only', () => {
    for (const pod of pods()) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const { name, image, securityContext, resources } of [...(pod.initContainers ?? []), ...pod.containers]) {
        const server = ['mongodb', 'rabbitmq'].includes(name);
        expect([image, securityContext]).toEqual([
          image,
          {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            ...(server ? {} : { readOnlyRootFilesystem: true }),
            ...(name.startsWith('git-') && { runAsUser: 65533 }),
          },
        ]);
        expect(resources).toMatchObject({ requests: expect.anything(), limits: expect.anything() });
      }
    }
  });

  it('mounts existing volumes, and lets services write where they need to', () => {
    const written = ['/home/svc', '/opt/switchyard', '/tmp'];
    for (const { spec } of workloads(manifests)) {
      const { volumes = [], containers, initContainers = [] } = spec.template.spec;
      const names = [...volumes, ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata)].map(
        ({ name }) => name,
      );
      expect(new Set(names).size).toBe(names.length);
      const used = [...initContainers, ...containers].flatMap(({ volumeMounts }) =>
        volumeMounts.map(({ name }) => name),
      );
      expect([...new Set(used)].sort()).toEqual(names.sort());
    }
    for (const [, { volumeMounts }] of ours)
      expect(volumeMounts.flatMap(({ mountPath, readOnly }) => (readOnly ? [] : [mountPath])).sort()).toEqual(written);
  });

  it('refers to Secrets, ConfigMaps and claims that it makes or that the values name', () => {
    const made = ofKind(manifests, 'Secret', 'ConfigMap', 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    const given = [...JSON.stringify(valuesIn(set)).matchAll(/"(?:existingSecret|registrationSecret|credentials|claimName|name|secret)":"([^"]+)"/g)]; // oxfmt-ignore
    const known = new Set([...made, ...given.map(([, name]) => name)]);
    expect(referencesOf(pods()).filter((name) => !known.has(name))).toEqual([]);
  });

  it('selects pods of its own with every selector', () => {
    const labels = workloads(manifests).map(({ spec }) => spec.template.metadata.labels);
    const found = ofKind(manifests, 'Service', 'PodDisruptionBudget', 'NetworkPolicy').flatMap(
      ({ kind, metadata, spec }) => {
        const { selector, podSelector } = spec as {
          selector?: Labels & { matchLabels?: Labels };
          podSelector?: { matchLabels: Labels };
        };
        const wanted = selector?.matchLabels ?? selector ?? podSelector?.matchLabels ?? {};
        return labels.some((each) => selects(wanted, each)) ? [] : [`${kind} ${metadata.name}`];
      },
    );
    expect(found).toEqual([]);
    const targets = ofKind(manifests, 'ScaledObject', 'HorizontalPodAutoscaler').map(
      ({ spec }) => (spec as { scaleTargetRef: { name: string } }).scaleTargetRef.name,
    );
    for (const target of targets) {
      const [scaled] = workloads(manifests).filter(({ metadata }) => metadata.name === target);
      // A number here would undo the scaling at each upgrade.
      expect([target, scaled?.spec.replicas, Object.keys(scaled?.spec ?? {})]).toEqual([
        target,
        undefined,
        expect.not.arrayContaining(['replicas']),
      ]);
    }
  });
});

function referencesOf(pods: readonly PodSpec[]): string[] {
  const ofVolume = ({ secret, configMap, persistentVolumeClaim: claim, projected }: Volume) =>
    projected?.sources.map((source) => source.secret.name) ??
    secret?.secretName ??
    configMap?.name ??
    claim?.claimName ??
    [];
  return pods.flatMap(({ volumes = [], containers, initContainers = [] }) => [
    ...volumes.flatMap(ofVolume),
    ...[...containers, ...initContainers].flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []),
    ),
  ]);
}

described('the chart', () => {
  it('generates keys that the services can read, and keeps them', () => {
    const [keys] = ofKind(render(valuesIn('trial')), 'Secret').filter(({ metadata }) =>
      metadata.name.endsWith('-keys'),
    );
    for (const name of ['record_keys.json', 'datastore_key.json']) {
      const ring = parseKeyRing(Buffer.from(keys?.data?.[name] ?? '', 'base64').toString());
      expect(Object.keys(ring.keys)).toEqual([ring.current]);
    }
    expect(keys?.metadata).toMatchObject({ annotations: { 'helm.sh/resource-policy': 'keep' } });
    for (const set of ['production', 'small'])
      expect(ofKind(render(valuesIn(set)), 'Secret').filter(({ metadata }) => metadata.name.endsWith('-keys'))).toEqual(
        [],
      );
  });

  it('lets an option in extraEnvironment replace the file of the same option', () => {
    const values = { ...valuesIn('trial'), extraEnvironment: [{ name: 'SVC_MESSAGING__URL', value: 'amqp://other' }] };
    const [first] = workloads(render(values)).flatMap((workload) => serviceContainer(workload) ?? []);
    const names = (first?.env ?? []).map(({ name }) => name);
    expect(names.filter((name) => /MESSAGING__URL|DATABASE__PASSWORD/.test(name)).sort()).toEqual([
      'SVC_DATABASE__PASSWORD_FILE',
      'SVC_MESSAGING__URL',
    ]);
  });

  it('mounts the accounts into the auth service only', () => {
    const has = (set: string) =>
      workloads(render(valuesIn(set)))
        .filter(({ spec }) => spec.template.spec.volumes?.some(({ secret }) => secret?.secretName === 'accounts'))
        .map(({ metadata }) => metadata.name);
    expect(has('trial')).toEqual(['sy-switchyard-auth']);
    expect(has('small')).toEqual(['sy-switchyard-api']);
  });

  it('has the paths of the front end in its ingress', () => {
    const manifests = render(valuesIn('production'));
    const [ingress] = ofKind(manifests, 'Ingress');
    interface Path {
      path: string;
      pathType: string;
      backend: { service: { name: string; port: { name: string } } };
    }
    const { rules, tls } = ingress?.spec as { rules: { host: string; http: { paths: Path[] } }[]; tls: object[] };
    expect(tls).toEqual([{ hosts: ['svc.example.org'], secretName: 'svc-tls' }]);
    expect(rules[0]?.host).toBe('svc.example.org');
    const paths = (rules[0]?.http.paths ?? []).map(({ path, pathType, backend }) => [
      path,
      pathType,
      backend.service.name,
    ]);
    expect(paths).toEqual([
      ['/api/stream', 'Exact', 'sy-switchyard-stream'],
      ['/api/v1/stream', 'Exact', 'sy-switchyard-stream'],
      ['/stream', 'Prefix', 'sy-switchyard-stream'],
      ['/auth', 'Prefix', 'sy-switchyard-auth'],
      ['/api', 'Prefix', 'sy-switchyard-api'],
      ['/assets', 'Prefix', 'sy-switchyard-api'],
      ['/', 'Exact', 'sy-switchyard-api'],
    ]);
    const services = ofKind(manifests, 'Service').map(({ metadata }) => metadata.name);
    expect(paths.filter(([, , name]) => !services.includes(name ?? ''))).toEqual([]);
  });

  it('scales pools by the metrics of the schedulers, with KEDA', () => {
    const scaled = Object.fromEntries(
      ofKind(render(valuesIn('production')), 'ScaledObject').map(({ metadata, spec }) => [metadata.name, spec]),
    );
    const labels = String.raw`pool=~"gpu|big_gpu",namespace="automation"`;
    const [serverAddress, authenticationRef] = ['http://prometheus.monitoring:9090', { name: 'prometheus' }];
    expect(scaled['sy-switchyard-runner-gpu']).toMatchObject({
      scaleTargetRef: { name: 'sy-switchyard-runner-gpu' },
      minReplicaCount: 0,
      maxReplicaCount: 3,
      triggers: [
        {
          type: 'prometheus',
          metadata: {
            serverAddress,
            query: `sum(max by (pool) (svc_pool_waiting{${labels}}) + max by (pool) (svc_pool_active{${labels}}))`,
            threshold: '3',
          },
          authenticationRef,
        },
        {
          type: 'prometheus',
          metadata: { serverAddress, query: `max(svc_pool_waiting_age_seconds{${labels}})`, threshold: '30' },
          authenticationRef,
        },
      ],
    });
    const { triggers } = scaled['sy-switchyard-runner-default'] as { triggers: object[] };
    expect(triggers[2]).toEqual({
      type: 'rabbitmq',
      metricType: 'AverageValue',
      metadata: { protocol: 'http', queueName: 'svc.actionrunner.work', mode: 'QueueLength', value: '7' },
      authenticationRef: { name: 'sy-switchyard-rabbitmq' },
    });
  });

  it('gives pools with long names a Deployment whose name fits into a label, which KEDA makes of it', () => {
    const [pool, other] = ['a', 'b'].map((end) => `${'gpu-'.repeat(9)}gp${end}`);
    const values = valuesIn('production') as { pools: { default: object; gpu: object } };
    const { default: usual, gpu } = values.pools;
    const pools = { default: usual, [pool!]: gpu, [other!]: gpu };
    const manifests = render({ ...values, pools }, CHART, 'r'.repeat(53));
    const scaled = ofKind(manifests, 'ScaledObject');
    const names = scaled.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.length > 63)).toEqual([]);
    expect(new Set(names).size).toBe(3);
    const targets = scaled.map(({ spec }) => (spec as { scaleTargetRef: { name: string } }).scaleTargetRef.name);
    const deployments = workloads(manifests).map(({ metadata }) => metadata.name);
    expect(targets.filter((name) => !deployments.includes(name))).toEqual([]);
  });

  it('scales pools with a HorizontalPodAutoscaler', () => {
    const [scaler, ...others] = ofKind(render(valuesIn('small')), 'HorizontalPodAutoscaler');
    expect(others).toEqual([]);
    const { metrics } = scaler?.spec as { metrics: { external?: { metric: { name: string } }; resource?: object }[] };
    expect(metrics.map(({ external, resource }) => external?.metric.name ?? resource)).toEqual([
      'svc_pool_slots_needed',
      'svc_pool_waiting_age_seconds',
      { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
    ]);
  });

  it('gives action runners the labels of their pool', () => {
    const runner = (set: string, pool: string) => {
      const [found] = workloads(render(valuesIn(set))).filter(({ metadata }) =>
        metadata.name.endsWith(`-runner-${pool}`),
      );
      const {
        labels,
        default_pool: hasDefault,
        actions_pool_size: slots,
      } = loaded(serviceContainer(found!)!).config.actionrunner;
      return { labels, hasDefault, slots };
    };
    expect(runner('production', 'default')).toEqual({ labels: [], hasDefault: true, slots: 60 });
    expect(runner('production', 'gpu')).toEqual({ labels: ['gpu', 'big_gpu'], hasDefault: false, slots: 4 });
    expect(runner('small', 'edge')).toEqual({ labels: ['edge'], hasDefault: true, slots: 60 });
  });

  it('keeps the bundled servers running when only the version of the chart changes', () => {
    const copy = mkdtempSync(join(tmpdir(), 'svc-chart-'));
    cpSync(join(ROOT, CHART), copy, { recursive: true });
    const file = join(copy, 'Chart.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^(version|appVersion): .*$/gm, '$1: 9.0.0'));
    const servers = (chart: string) =>
      ofKind(render(valuesIn('trial'), chart), 'StatefulSet').map(({ metadata, spec }) => [metadata.name, spec]);
    expect(servers(copy)).toEqual(servers(CHART));
    rmSync(copy, { recursive: true });
  });

  it('runs as many pods of a service as asked, also none', () => {
    const values = { ...valuesIn('trial'), services: { timers: { replicas: 0 }, api: { replicas: 3 } } };
    const replicas = workloads(render(values)).map(({ metadata, spec }) => [metadata.name, spec.replicas]);
    expect(replicas).toEqual(
      expect.arrayContaining([
        ['sy-switchyard-timers', 0],
        ['sy-switchyard-api', 3],
        ['sy-switchyard-auth', 2],
      ]),
    );
  });

  it.each([
    [{}, ['sy-switchyard'], 'sy-switchyard'],
    [{ name: 'ours' }, ['ours'], 'ours'],
    [{ create: false, name: 'ours' }, [], 'ours'],
    [{ create: false }, [], 'default'],
  ])('with serviceAccount %j creates %j and uses %s', (serviceAccount, created, used) => {
    const manifests = render({ ...valuesIn('trial'), serviceAccount });
    expect(ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name)).toEqual(created);
    const names = workloads(manifests).flatMap(({ spec }) => spec.template.spec.serviceAccountName ?? []);
    expect([...new Set(names)]).toEqual([used]);
  });

  it('runs git-sync as the user of its image, because ssh refuses a user without a name', () => {
    const pods = workloads(render(valuesIn('production'))).map(({ spec }) => spec.template.spec);
    const all = pods.flatMap(({ containers, initContainers = [] }) => [...containers, ...initContainers]);
    const users = all.filter(({ name }) => name.startsWith('git-')).map((each) => each.securityContext['runAsUser']);
    expect(new Set(users)).toEqual(new Set([65533]));
  });

  it.each([
    ['https://git.example.org/packs.git', 443],
    ['http://git.example.org/packs.git', 80],
    ['https://git.example.org:8443/packs.git', 8443],
    ['git@git.example.org:packs.git', 22],
    ['ssh://git@git.example.org/packs.git', 22],
    ['ssh://git@git.example.org:2222/packs.git', 2222],
  ])('lets the services that need only the store and the bus fetch packs from %s', (repository, port) => {
    const values = { ...valuesIn('trial'), packs: { git: [{ name: 'live', repository }] } };
    interface Policy {
      readonly egress: readonly { readonly ports: readonly { readonly port: number; readonly protocol?: string }[] }[];
    }
    const ports = (given: object) => {
      const [engines] = ofKind(render(given), 'NetworkPolicy').filter(({ metadata }) =>
        metadata.name.endsWith('-engines'),
      );
      return (engines?.spec as Policy).egress.flatMap(({ ports: open }) => open.map((each) => each.port));
    };
    expect(ports(values).filter((each) => !ports(valuesIn('trial')).includes(each))).toEqual([port]);
  });

  it.each([
    [{}, "missing property 'publicUrl'|publicUrl: expected the address"],
    [{ publicUrl: 'svc.example.org' }, '/publicUrl'],
    [{ grouping: 'some' }, "/grouping': value must be one of 'each', 'small'"],
    [{ pools: { GPU: {} } }, "invalid propertyName 'GPU'"],
    [{ pools: { gpu: { minReplicas: 1 } } }, "'minReplicas' not allowed"],
    [{ pools: { gpu: { labels: ['a b'] } } }, '/pools/gpu/labels/0'],
    [{ environment: { SVC_API__PORT: 9101 } }, '/environment/SVC_API__PORT'],
    [{ mongodb: { bundled: false } }, 'mongodb.external: expected url, or existingSecret with the key url'],
    [
      { mongodb: { external: { url: 'mongodb://a:secret@host' } } },
      'mongodb.external.url: expected a mongodb:// address without user and password',
    ],
    [{ secretFiles: [{ option: 'api.port', secret: 'a', key: 'b' }] }, '/secretFiles/0/option'],
    [{ rabbitmq: { bundled: false } }, 'rabbitmq.external.existingSecret: expected the name of a Secret'],
    [
      { pools: { gpu: { autoscaling: { kind: 'keda' } } } },
      'prometheus.serverAddress: expected the address of Prometheus',
    ],
    [
      { pools: { gpu: { autoscaling: { kind: 'keda', prometheus: false, rabbitmq: true, minReplicas: 0 } } } },
      'pools.gpu.autoscaling: expected prometheus: true with minReplicas 0',
    ],
    [
      { pools: { gpu: { autoscaling: { kind: 'keda', prometheus: false } } } },
      'pools.gpu.autoscaling: expected prometheus or rabbitmq to be true',
    ],
    [
      { pools: { gpu: { autoscaling: { kind: 'hpa', minReplicas: 0 } } } },
      'pools.gpu.autoscaling.minReplicas: expected at least 1',
    ],
    [
      { pools: { gpu: { autoscaling: { kind: 'hpa', externalMetrics: false } } } },
      'externalMetrics: true or a targetCpuUtilization',
    ],
    [
      { pools: { gpu: { autoscaling: { kind: 'hpa', minReplicas: 4, maxReplicas: 2 } } } },
      'maxReplicas to be at least minReplicas (4); got 2',
    ],
  ])('refuses %j', (values, message) => {
    const { text, error } = helmTemplate({
      ...(Object.keys(values).length > 0 ? { publicUrl: 'https://x.example' } : {}),
      ...values,
    });
    expect(text).toBe('');
    expect(message.split('|').some((part) => error.includes(part)) ? message : error).toBe(message);
    expect(error).not.toContain('secret@host');
  });

  it('describes every value in its schema, and sets each of them', () => {
    const { properties } = JSON.parse(read(`${CHART}/values.schema.json`)) as { properties: Record<string, object> };
    const values = parse(read(`${CHART}/values.yaml`)) as object;
    expect(
      Object.keys(properties)
        .filter((name) => name !== 'global')
        .sort(),
    ).toEqual(Object.keys(values).sort());
  });

  it('has the version of the product', () => {
    const { appVersion } = parse(read(`${CHART}/Chart.yaml`)) as { appVersion: string };
    expect(appVersion).toBe((JSON.parse(read('package.json')) as { version: string }).version);
  });
});
