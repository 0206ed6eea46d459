import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { read, ROOT } from '../architecture/workspace';
import { hasProgram } from './deployment-files';

/** The parts of rendered manifests that tests use. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels };
  readonly data?: Labels;
  readonly stringData?: Labels;
  readonly spec?: unknown;
}

export type Labels = Readonly<Record<string, string>>;

export interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
      readonly spec: PodSpec;
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

export interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly automountServiceAccountToken?: boolean;
  readonly serviceAccountName?: string;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly initContainers?: readonly PodContainer[];
  readonly containers: readonly PodContainer[];
  readonly volumes?: readonly Volume[];
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: object;
  readonly secret?: { readonly secretName: string };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret: {
        readonly name: string;
        readonly items: readonly { readonly key: string; readonly path: string }[];
      };
    }[];
  };
  readonly configMap?: { readonly name: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

export interface PodContainer {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentEntry[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number };
}

export interface EnvironmentEntry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

const CACHE = join(homedir(), '.cache', 'switchyard');
/** `.ci/run` keeps the programs there. */
const installed = (name: string): string => {
  const own = join(CACHE, name, 'bin', name);
  return spawnSync(own, ['--help']).status === 0 ? own : name;
};

const HELM = installed('helm');
const VALIDATE = installed('kubernetes-validate');

export const hasHelm = (): boolean => hasProgram(HELM, 'rendering the Helm chart is');
export const hasValidator = (): boolean => hasProgram(VALIDATE, 'validating the Helm chart is');

export const RELEASE = 'sy';
const NAMESPACE = 'automation';
export const CHART = 'deploy/kubernetes';

/** The values in a file of this folder. */
export const valuesIn = (name: string): object => parse(read(`test/deploy/chart-values/${name}.yaml`)) as object;

interface Rendered {
  readonly text: string;
  readonly error: string;
}

/** What `helm template` makes of values, for a version of Kubernetes. */
export function helmTemplate(values: object, kubernetes = '1.31', chart = CHART, release = RELEASE): Rendered {
  const { stdout, stderr } = spawnSync(
    HELM,
    ['template', release, chart, '--namespace', NAMESPACE, '--kube-version', kubernetes, '--values', '-'],
    { cwd: ROOT, encoding: 'utf8', input: JSON.stringify(values) },
  );
  return { text: stdout, error: stderr };
}

/** The manifests that `helm template` makes of values. */
export function render(values: object, chart = CHART, release = RELEASE): Manifest[] {
  const { text, error } = helmTemplate(values, undefined, chart, release);
  if (error !== '') throw new Error(error);
  return parseAllDocuments(text).flatMap((document) => {
    if ('errors' in document && document.errors[0]) throw document.errors[0];
    const manifest = (document as { toJS(): Manifest | null }).toJS();
    return manifest ? [manifest] : [];
  });
}

/** @returns what kubernetes-validate says about manifests, without those that are valid */
export function validate(text: string, kubernetes: string): { status: number | null; findings: string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'svc-chart-'));
  const file = join(directory, 'manifests.yaml');
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(VALIDATE, ['--strict', '--kubernetes-version', kubernetes, file], {
    encoding: 'utf8',
  });
  rmSync(directory, { recursive: true });
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('INFO'));
  return { status, findings: lines };
}

export const ofKind = (manifests: readonly Manifest[], ...kinds: readonly string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));

export const workloads = (manifests: readonly Manifest[]): Workload[] =>
  ofKind(manifests, 'Deployment', 'StatefulSet') as Workload[];

/** The container of a workload that runs services of ours, if it has one. */
export const serviceContainer = ({ spec }: Workload): PodContainer | undefined =>
  spec.template.spec.containers.find(({ args, startupProbe }) => args && startupProbe);

/** Whether a selector selects a pod with these labels. */
export const selects = (wanted: Labels, labels: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
