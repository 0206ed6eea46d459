import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './system-process';
import { testServer, type TestServer } from './test-server';

const PROGRAMS = '/usr/lib/rabbitmq/bin';
// With the usual limit of 1024 open files, RabbitMQ silently stops responding at about 300 quorum queues.
const MANY_FILES = `ulimit -n 65536 2>/dev/null || ulimit -n "$(ulimit -H -n)"; exec ${PROGRAMS}/rabbitmq-server`;
const NODES = 3;
/** The nodes of a cluster have to share it. */
const COOKIE = 'SWITCHYARDTESTS';

export const hasRabbit = (): boolean => existsSync(`${PROGRAMS}/rabbitmq-server`);

interface NodePorts {
  readonly port: number;
  /** For the other nodes and for rabbitmqctl. */
  readonly distribution: number;
  /** Of epmd, which knows the ports of nodes by their names. */
  readonly names: number;
}

/** A node with its own data. @param members the names of all nodes of its cluster; none if it is alone */
export function rabbitNode(home: string, ports: NodePorts, members: readonly string[] = []): TestServer {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'enabled_plugins'), '');
  writeFileSync(join(home, '.erlang.cookie'), COOKIE, { mode: 0o400 });
  writeFileSync(join(home, 'rabbitmq.conf'), discovery(members));
  if (isRoot()) spawnSync('chown', ['-R', 'rabbitmq', home]);
  const start = () => {
    const [command, ...args] = asOwner('sh', '-c', MANY_FILES);
    const env = environmentOf(home, ports);
    return spawn(command as string, args, { cwd: home, env, stdio: 'ignore', detached: true });
  };
  const url = `amqp://guest:guest@127.0.0.1:${ports.port}`;
  return testServer(url, ports.port, start, () => endNames(ports.names));
}

const discovery = (members: readonly string[]): string =>
  members.length === 0
    ? ''
    : [
        'cluster_formation.peer_discovery_backend = classic_config',
        ...members.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}`),
        '',
      ].join('\n');

const isRoot = (): boolean => userInfo().uid === 0;

/** The broker refuses to run as root. */
const asOwner = (...command: string[]): string[] =>
  isRoot() ? ['runuser', '-u', 'rabbitmq', '--', ...command] : command;

const nodeName = ({ port }: Pick<NodePorts, 'port'>): string => `svc-${port}@localhost`;

const environmentOf = (home: string, { port, distribution, names }: NodePorts): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  ERL_EPMD_PORT: String(names),
  RABBITMQ_NODENAME: nodeName({ port }),
  RABBITMQ_NODE_PORT: String(port),
  RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
  RABBITMQ_DIST_PORT: String(distribution),
  RABBITMQ_MNESIA_BASE: home,
  RABBITMQ_LOG_BASE: home,
  RABBITMQ_PID_FILE: join(home, 'pid'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
  RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq.conf'),
  RABBITMQ_CONF_ENV_FILE: '/dev/null',
});

/** Stops epmd, which the broker started. It refuses until it has noticed that the broker ended, hence the retries. */
const END_NAMES = 'for n in 1 2 3 4 5; do epmd -kill | grep -q Killed && exit; sleep 0.2; done';
export const endNames = (port = 0): void =>
  void spawnSync('sh', ['-c', END_NAMES], { env: { ...process.env, ERL_EPMD_PORT: String(port) } });

/** A quorum queue, as a running node sees it. */
export interface QuorumQueue {
  /** The node that leads it; undefined during an election. */
  readonly leader: TestServer | undefined;
  /** The number of nodes that have a copy, and of those that are running. */
  readonly members: number;
  readonly online: number;
}

export interface RabbitCluster {
  readonly nodes: readonly TestServer[];
  /** @param asked a running node */
  queue(name: string, asked: TestServer): Promise<QuorumQueue>;
  /** Stops all nodes and removes their data. */
  remove(): Promise<void>;
}

/** Starts three nodes that form a cluster. */
export async function startRabbitCluster(): Promise<RabbitCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-rabbits-'));
  chmodSync(directory, 0o755);
  const [names = 0, ...free] = await freePorts(1 + 2 * NODES);
  const ports = Array.from({ length: NODES }, (_, index): NodePorts => {
    return { port: free[2 * index] as number, distribution: free[2 * index + 1] as number, names };
  });
  const homeOf = ({ port }: NodePorts) => join(directory, `node-${port}`);
  const members = ports.map(nodeName);
  const nodes = ports.map((each) => rabbitNode(homeOf(each), each, members));
  const [first, ...others] = nodes as [TestServer, ...TestServer[]];
  await first.start();
  await Promise.all(others.map((node) => node.start()));
  return {
    nodes,
    async queue(name, asked) {
      const of = ports[nodes.indexOf(asked)] as NodePorts;
      const { leader, members: copies, online } = await listed(name, homeOf(of), of);
      return { leader: nodes[members.indexOf(leader)], members: copies.length, online: online.length };
    },
    async remove() {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      endNames(names);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Listed {
  readonly name: string;
  readonly leader: string;
  readonly members: readonly string[];
  readonly online: readonly string[];
}

async function listed(name: string, home: string, ports: NodePorts): Promise<Listed> {
  const columns = ['name', 'leader', 'members', 'online'];
  const [command, ...args] = asOwner(`${PROGRAMS}/rabbitmqctl`, '-q', '--formatter', 'json', 'list_queues', ...columns);
  const options = { cwd: home, env: environmentOf(home, ports) };
  const { stdout } = await promisify(execFile)(command as string, args, options);
  const queue = (JSON.parse(stdout) as Listed[]).find((each) => each.name === name);
  if (!queue) throw new Error(`rabbitmqctl does not list the queue ${name}`);
  return queue;
}
