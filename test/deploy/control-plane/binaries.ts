import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program';

/** The version of Kubernetes whose control plane is built. */
export const KUBERNETES = '1.37.2';
const KWOK = 'v0.8.0';
const ETCD = 'v3.7.3';

/** Modules that are only downloaded, for their definitions of resources. */
const DEFINITIONS = {
  keda: { module: 'github.com/kedacore/keda/v2@v2.21.0', directory: 'config/crd/bases' },
  prometheus: {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    directory: 'example/prometheus-operator-crd',
  },
} as const;

export interface Binaries {
  readonly etcd: string;
  readonly 'kube-apiserver': string;
  readonly 'kube-controller-manager': string;
  readonly 'kube-scheduler': string;
  readonly kubectl: string;
  readonly kwok: string;
}

const PACKAGES: Readonly<Record<keyof Binaries, { module: keyof typeof MODULES; path: string }>> = {
  etcd: { module: 'etcd', path: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  'kube-controller-manager': { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  'kube-scheduler': { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kubectl: { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kubectl' },
  kwok: { module: 'kubernetes', path: 'sigs.k8s.io/kwok/cmd/kwok' },
};

/** What is built together. kwok gets the libraries of Kubernetes in the same version, so they are compiled once. */
const MODULES = {
  kubernetes: [`k8s.io/kubernetes@v${KUBERNETES}`, `sigs.k8s.io/kwok@${KWOK}`],
  etcd: [`go.etcd.io/etcd/server/v3@${ETCD}`],
} as const;

/** Builds the programs of a control plane from their Go modules into a directory, except for those that are there already. */
export async function buildBinaries(directory: string): Promise<Binaries> {
  const programs = Object.entries(PACKAGES) as [keyof Binaries, (typeof PACKAGES)[keyof Binaries]][];
  for (const [name, { module, path }] of programs) {
    const target = join(directory, name);
    if (existsSync(target)) continue;
    const required = MODULES[module];
    console.log(`building ${name} from ${required.join(' and ')}`);
    await build(join(directory, 'modules', module), required, path, target);
  }
  return Object.fromEntries(programs.map(([name]) => [name, join(directory, name)])) as unknown as Binaries;
}

interface Downloaded {
  readonly Path: string;
  readonly Version: string;
  readonly Dir: string;
  readonly GoMod: string;
}

/** Downloads a module. The working directory must not be inside another module. */
async function download(module: string, directory: string): Promise<Downloaded> {
  mkdirSync(directory, { recursive: true });
  return JSON.parse(await go(directory, 'mod', 'download', '-json', module)) as Downloaded;
}

/**
 * Builds a main package of a module from a module of our own that requires it. `go install` refuses modules with replacements, so
 * those of Kubernetes, which are directories of its repository, are replaced by the versions that it publishes of them.
 */
async function build(directory: string, modules: readonly string[], path: string, target: string): Promise<void> {
  const lines = ['module control-plane', 'go 1.26.0'];
  for (const module of modules) {
    const { Path, Version, GoMod } = await download(module, join(directory, 'download'));
    const published = Version.replace(/^v1\./, 'v0.');
    const replaced = readFileSync(GoMod, 'utf8').matchAll(/^\s*(?:replace )?(k8s\.io\/\S+) => \.\/staging\//gm);
    lines.push(`require ${Path} ${Version}`);
    for (const [, name] of replaced) lines.push(`replace ${name} => ${name} ${published}`);
  }
  writeFileSync(join(directory, 'go.mod'), `${lines.join('\n')}\n`);
  await go(directory, 'build', '-mod=mod', '-trimpath', '-ldflags', versionFlags(), '-o', target, path);
}

/** Without them, the programs of Kubernetes say that they have version 0.0.0, which the chart does not support. */
const versionFlags = (): string => {
  const [major, minor] = KUBERNETES.split('.');
  const values = { gitVersion: `v${KUBERNETES}`, gitMajor: major, gitMinor: minor };
  return ['-s -w']
    .concat(Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`))
    .join(' ');
};

/** Where the definitions of the resources of KEDA and of the Prometheus operator are. */
export async function definitionsOf(product: keyof typeof DEFINITIONS, directory: string): Promise<string> {
  const { module, directory: below } = DEFINITIONS[product];
  const { Dir } = await download(module, join(directory, 'modules', product));
  return join(Dir, below);
}

async function go(directory: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram('go', args, { directory, environment: { GOWORK: 'off' } });
  if (code !== 0) throw new Error(`go ${args[0]} failed: ${stderr || stdout}`);
  return stdout;
}
