import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, paths } from '@switchyard/config';
import { connectMongo, createSealer, loadKeyRing, openStore, type Store } from '@switchyard/storage';
import { login, type ApiCaller } from './api-caller';
import { fillHistory } from './backup-history';
import { startCluster, type Cluster } from './cluster-process';
import { startRealServers } from './real-servers';
import { run, svc } from './run-svc';
import { smallGroups } from './small-groups';
import { ROOT } from './system-process';

/** Requests at the same time. */
const SUBMITTERS = 4;
/** Executions of the load that end before the export begins. */
const ENDED_BEFORE = 40;
/** Large enough to be stored apart from its execution. */
const LARGE_BYTES = 300_000;
const LOOK_MS = 100;

/** Kinds of executions with all records that can belong to one: output, large results, runs and journals of workflows. */
const KINDS = [
  { action: 'core.local', parameters: { cmd: 'echo one; echo two' } },
  { action: 'examples.orquesta-basic', parameters: { cmd: 'echo three' } },
  { action: 'core.local', parameters: { cmd: `head -c ${LARGE_BYTES} /dev/zero | tr '\\0' x` } },
  { action: 'core.noop' },
] as const;

/** What the comparison of an export with its source has found. */
export interface UnderLoadReport {
  readonly problems: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Exports a system on servers while executions are requested and run, imports the archive into an embedded store, which verifies counts and
 * hashes, and compares it with an archive from afterwards. @param base a directory for the files @param history the number of executions that have ended long before
 */
export async function exportUnderLoad(base: string, history: number): Promise<UnderLoadReport> {
  const servers = await startRealServers();
  try {
    const cluster = await startCluster({
      ...{ mongoUrl: servers.mongo.url, amqpUrl: servers.rabbit.url, groups: smallGroups() },
      packs: [join(ROOT, 'packs/examples')],
    });
    const api = await login(cluster.api, cluster.auth);
    try {
      return await compared(cluster, api, base, history);
    } finally {
      api.close();
      await cluster.stop();
    }
  } finally {
    await servers.remove();
  }
}

async function compared(cluster: Cluster, api: ApiCaller, base: string, history: number): Promise<UnderLoadReport> {
  const file = join(cluster.directory, 'svc.conf');
  const source = await sourceStore(file);
  try {
    await fillHistory(source, history);
    const load = startLoad(api);
    await until(async () => (await endedOnes(source)).size >= history + ENDED_BEFORE);
    const endedBefore = await endedOnes(source);
    const before = load.requested();
    await svcOrThrow('--config-file', file, 'export', join(base, 'during.tar.gz'), '--with-secrets');
    const requestedMeanwhile = load.requested() - before;
    await load.stop();
    await until(async () => (await source.executions.count({ end_timestamp: null })) === 0);
    await svcOrThrow('--config-file', file, 'export', join(base, 'afterwards.tar.gz'), '--with-secrets');
    const imported = await svcOrThrow(
      'import',
      join(base, 'during.tar.gz'),
      '--data-dir',
      join(base, 'imported'),
      '-j',
    );
    const rows = JSON.parse(imported) as { name: string; verified: boolean }[];
    const [during, afterwards] = await Promise.all(['during', 'afterwards'].map((name) => linesOf(base, name)));
    const unverified = rows.filter(({ verified }) => !verified).map(({ name }) => `${name} has another count or hash`);
    const idle = requestedMeanwhile === 0 ? ['Nothing was requested while the export ran.'] : [];
    return {
      problems: [...differences(during!, afterwards!, endedBefore), ...unverified, ...idle],
      figures: {
        ...Object.fromEntries(OF_EXECUTIONS.map((name) => [name, during!.get(name)?.size ?? 0])),
        ...{ endedBefore: endedBefore.size, requestedMeanwhile, collectionsVerified: rows.length - unverified.length },
      },
    };
  } finally {
    await source.close();
  }
}

/** The collections whose records do not change any more once their execution has ended. */
const OF_EXECUTIONS = ['executions', 'execution_output', 'blobs', 'workflows', 'workflow_journal'];

/** The ids of the executions that have ended, with their whole trees. */
async function endedOnes({ executions }: Store): Promise<ReadonlySet<string>> {
  const all = await executions.list({ fields: ['_id', 'status', 'root', 'end_timestamp'] });
  const open = new Set(all.filter(({ end_timestamp: end }) => end === undefined).map(({ _id }) => _id));
  return new Set(all.filter(({ _id, root }) => !open.has(_id) && !open.has(root ?? _id)).map(({ _id }) => _id));
}

/** The hash of each record of an archive, by collection and id. */
type Lines = ReadonlyMap<string, ReadonlyMap<string, string>>;

async function linesOf(base: string, name: string): Promise<Lines> {
  const directory = join(base, name);
  mkdirSync(directory);
  const { code, stderr } = await run('tar', ['-xzf', `${directory}.tar.gz`, '-C', directory]);
  if (code !== 0) throw new Error(`tar: ${stderr}`);
  const lines = new Map<string, Map<string, string>>();
  for (const file of readdirSync(join(directory, 'records'))) {
    const [, collection = ''] = file.split('.');
    const known = lines.get(collection) ?? new Map<string, string>();
    lines.set(collection, known);
    for (const line of readFileSync(join(directory, 'records', file), 'utf8')
      .trimEnd()
      .split('\n'))
      known.set((JSON.parse(line) as { _id: string })._id, createHash('sha256').update(line).digest('hex'));
  }
  return lines;
}

/**
 * Compares the archive that was made under load with one from afterwards. Each of its executions is there unchanged, with exactly the records
 * that belong to it, and so is each that had ended before.
 */
function differences(during: Lines, afterwards: Lines, endedBefore: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  for (const id of endedBefore)
    if (!during.get('executions')?.has(id))
      problems.push(`executions ${id} had ended before the export, and is missing`);
  for (const name of OF_EXECUTIONS)
    for (const [id, hash] of during.get(name) ?? [])
      if (afterwards.get(name)?.get(id) !== hash) problems.push(`${name} ${id} differs from the system`);
  return problems;
}

/** @returns what it printed */
async function svcOrThrow(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await svc(words);
  if (code !== 0) throw new Error(`svc ${words.join(' ')} ended with ${String(code)}: ${stderr}`);
  return stdout;
}

function startLoad(api: ApiCaller) {
  let running = true;
  let requested = 0;
  const submit = async () => {
    while (running) {
      const { status, body } = await api.call('POST', '/v1/executions', KINDS[requested++ % KINDS.length]);
      if (status !== 201) throw new Error(`the API answered ${status}: ${JSON.stringify(body)}`);
      const { id } = body as { id: string };
      await until(async () => (await endOf(api, id)) !== undefined || !running);
    }
  };
  const submitters = Promise.all(Array.from({ length: SUBMITTERS }, submit));
  return {
    requested: () => requested,
    async stop() {
      running = false;
      await submitters;
    },
  };
}

async function endOf(api: ApiCaller, id: string): Promise<unknown> {
  const { body } = await api.call('GET', `/v1/executions/${id}?include_attributes=end_timestamp`);
  return (body as { end_timestamp?: string }).end_timestamp;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

async function sourceStore(file: string): Promise<Store> {
  const { config } = loadConfig({ environment: {}, file });
  const sealer = createSealer(await loadKeyRing(paths(config).recordKey));
  return openStore(await connectMongo(config.database), sealer);
}
