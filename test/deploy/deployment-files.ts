import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { read, ROOT } from '../architecture/workspace';

/** The parts of a compose file service that tests use. */
export interface Container {
  readonly image: string;
  readonly user?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly container_name?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly profiles?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** The variables that a user must set: one for the file with TLS. */
export const REQUIRED = { SVC_TLS: '/srv/tls' };

/** A compose file as docker-compose reads it: with variables replaced and anchors merged. */
export function composeFile(path: string, variables: Readonly<Record<string, string>> = REQUIRED): ComposeFile {
  const text = read(path).replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = variables[name] ?? (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`the variable ${name} is required: ${rest}`);
    return value;
  });
  return parse(text, { merge: true }) as ComposeFile;
}

/** The compose file with another one on top, as docker-compose merges them: without containers that only a profile starts. */
export function composeFiles(path: string, over: string): ComposeFile {
  const base = composeFile(path);
  const { services } = composeFile(over);
  const merged = Object.entries(base.services).map(([name, container]): [string, Container] => {
    const more = services[name] ?? {};
    return [name, { ...container, ...more, ...mergedParts(container, more) }];
  });
  return { ...base, services: Object.fromEntries(merged.filter(([, { profiles }]) => profiles === undefined)) };
}

const mergedParts = (container: Container, more: Partial<Container>) => ({
  ...(container.environment && { environment: { ...container.environment, ...more.environment } }),
  ...(container.volumes && { volumes: [...container.volumes, ...(more.volumes ?? [])] }),
  ...(container.healthcheck && { healthcheck: { ...container.healthcheck, ...more.healthcheck } }),
});

/** The override file with fewer containers. */
export const SMALL = 'deploy/docker-compose.small.yml';

/** The services of each container, in the form that `svc-service` takes. */
export const groupsOf = ({ services }: ComposeFile): [container: string, names: string][] =>
  Object.entries(services)
    .filter(([, { image, entrypoint }]) => image === 'switchyard:latest' && !entrypoint)
    .map(([name, { command = [] }]) => [name, command.join(' ')]);

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile as one list per stage, without those before the first stage. */
export function dockerStages(path = 'deploy/Dockerfile'): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = read(path)
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    if (name && rest) stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

export const finalStage = (): Instruction[] => dockerStages().at(-1) ?? [];

export const instructions = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter((each) => each.name === name).map(({ rest }) => rest);

/** The environment that the image sets for every container. */
export const imageEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    instructions(finalStage(), 'ENV').flatMap((rest) =>
      [...rest.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  );

/** The programs that the image offers by name, with the path from the root of the checkout. */
export const imagePrograms = (): Record<string, string> =>
  Object.fromEntries(
    instructions(finalStage(), 'RUN').flatMap((rest) =>
      [...rest.matchAll(/ln -s \/usr\/lib\/switchyard\/(\S+) \/usr\/local\/bin\/(\S+)/g)].map(
        ([, target = '', name = '']) => [name, target],
      ),
    ),
  );

export const imageEntrypoint = (): string[] =>
  JSON.parse(instructions(finalStage(), 'ENTRYPOINT')[0] ?? '[]') as string[];

/**
 * Whether a program is installed on this machine. If not, prints in one line what is skipped. @throws Error in CI,
 * where it is required
 */
export function hasProgram(name: string, purpose: string): boolean {
  if (spawnSync('sh', ['-c', 'command -v "$0"', name], { cwd: ROOT }).status === 0) return true;
  const missing = `${name} is not installed: ${purpose} left out.`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  process.stderr.write(`${missing}\n`);
  return false;
}
