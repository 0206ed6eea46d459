import { parseArgs } from 'node:util';

export interface BenchArguments {
  readonly target: 'embedded' | 'servers';
  readonly runners: number;
  /** The services that share a process, on servers. */
  readonly grouping: Grouping;
  /** Scenarios that need no system, in order. */
  readonly pure: readonly string[];
  /** Scenarios that run one service in the process of the bench. */
  readonly service: readonly string[];
  /** Scenarios that run on a whole system. */
  readonly system: readonly string[];
  readonly scale: number;
  /** The number of executions that are stored before lists are read. */
  readonly stored: number;
  /** The system to compare with. */
  readonly against?: Against;
}

/** Each service in its own process, or as in the compose file for a small installation. */
export type Grouping = 'each' | 'small';

/** Another system, and how often each scenario runs on both. */
export type Against = { readonly pairs: number } & ({ readonly commit: string } | { readonly url: string });

interface Known {
  readonly pure: readonly string[];
  readonly service: readonly string[];
  readonly system: Readonly<Record<string, KnownSystemScenario>>;
}

interface KnownSystemScenario {
  readonly overHttp?: true;
  readonly onServers?: true;
  readonly byName?: true;
}

type Chosen = Pick<BenchArguments, 'pure' | 'service' | 'system'>;

const OPTIONS = {
  target: { type: 'string', default: 'embedded' },
  runners: { type: 'string', default: '1' },
  grouping: { type: 'string', default: 'each' },
  scenario: { type: 'string', default: 'all' },
  scale: { type: 'string', default: '1' },
  stored: { type: 'string' },
  against: { type: 'string' },
  'against-url': { type: 'string' },
  pairs: { type: 'string' },
} as const;

const STORED = 10_000;
const PAIRS = 3;

/**
 * Parses the arguments. Scenarios without a system are the same on every target, so `--target servers` skips them for
 * `all` and rejects them by name. Comparisons take scenarios on whole systems only.
 * @throws Error naming the invalid argument
 */
export function readArguments(args: readonly string[], known: Known): BenchArguments {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { target, scenario, grouping } = values;
  if (target !== 'embedded' && target !== 'servers') {
    throw new Error(`--target: expected embedded or servers, got "${target}"`);
  }
  if (grouping !== 'each' && grouping !== 'small') {
    throw new Error(`--grouping: expected each or small, got "${grouping}"`);
  }
  if (grouping === 'small' && target !== 'servers') throw new Error('--grouping small: it needs --target servers');
  const runners = wholeNumber('--runners', values.runners);
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale: expected a number above 0, got "${values.scale}"`);
  const stored = values.stored === undefined ? Math.ceil(STORED * scale) : wholeNumber('--stored', values.stored);
  const against = readAgainst(values);
  const chosen = chooseScenarios(scenario, target, known, against);
  return { target, runners, grouping, scale, stored, ...chosen, ...(against && { against }) };
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${option}: expected a whole number above 0, got "${text}"`);
  return number;
}

interface AgainstOptions {
  readonly against?: string | undefined;
  readonly 'against-url'?: string | undefined;
  readonly pairs?: string | undefined;
}

function readAgainst({ against: commit, 'against-url': url, pairs }: AgainstOptions): Against | undefined {
  if (commit !== undefined && url !== undefined) throw new Error('--against and --against-url exclude each other');
  if (commit === undefined && url === undefined) {
    if (pairs !== undefined) throw new Error('--pairs: expected --against or --against-url with it');
    return undefined;
  }
  const count = pairs === undefined ? PAIRS : wholeNumber('--pairs', pairs);
  if (commit !== undefined) return { pairs: count, commit };
  return { pairs: count, url: plainHttp(url ?? '') };
}

/** Credentials come from the environment, because other users of the machine can see the command line. */
function plainHttp(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password)
    throw new Error('--against-url: expected an address without credentials, which are read from the environment');
  if (url?.protocol !== 'http:') throw new Error(`--against-url: expected an address with http://, got "${text}"`);
  return text;
}

function chooseScenarios(scenario: string, target: string, known: Known, against: Against | undefined): Chosen {
  const { pure, service, system } = known;
  if (scenario === 'all') {
    const names = Object.keys(system).filter((name) => !system[name]?.byName && refusal(system[name], target, against) === undefined); // oxfmt-ignore
    if (against) return { pure: [], service: [], system: names };
    return { pure: target === 'servers' ? [] : pure, service, system: names };
  }
  const found = system[scenario];
  if (found) {
    const reason = refusal(found, target, against);
    if (reason !== undefined) throw new Error(`--scenario ${scenario}: ${reason}`);
    return { pure: [], service: [], system: [scenario] };
  }
  if (![...service, ...pure].includes(scenario)) {
    const names = [...Object.keys(system), ...service, ...pure].join(', ');
    throw new Error(`--scenario: expected one of ${names}, all; got "${scenario}"`);
  }
  if (against) throw new Error(`--scenario ${scenario}: it runs in the process of the bench, so it cannot be compared`);
  if (service.includes(scenario)) return { pure: [], service: [scenario], system: [] };
  if (target === 'servers') throw new Error(`--target servers: the scenario ${scenario} runs without any system.`);
  return { pure: [scenario], service: [], system: [] };
}

function refusal(scenario: KnownSystemScenario | undefined, target: string, against: Against | undefined) {
  if (scenario?.onServers && target !== 'servers') return 'it needs --target servers';
  if (against && 'url' in against && !scenario?.overHttp)
    return 'it needs a system that the bench has started, so it cannot be compared with one at an address';
  return undefined;
}
