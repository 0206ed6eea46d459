import { parseArgs } from 'node:util';

export interface BenchArguments {
  readonly target: 'embedded' | 'servers';
  readonly runners: number;
  /** Scenarios that need no system, in order. */
  readonly pure: readonly string[];
  /** Scenarios that run one service in the process of the bench. */
  readonly service: readonly string[];
  /** Scenarios that run on a whole system. */
  readonly system: readonly string[];
  readonly scale: number;
}

interface Known {
  readonly pure: readonly string[];
  readonly service: readonly string[];
  readonly system: readonly string[];
}

const OPTIONS = {
  target: { type: 'string', default: 'embedded' },
  runners: { type: 'string', default: '1' },
  scenario: { type: 'string', default: 'all' },
  scale: { type: 'string', default: '1' },
} as const;

/**
 * Reads what to measure. Scenarios without a system are the same on every target, so `--target servers` skips them for `all`
 * and rejects them by name.
 * @throws Error naming the argument that is wrong
 */
export function readArguments(args: readonly string[], known: Known): BenchArguments {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { target, scenario } = values;
  if (target !== 'embedded' && target !== 'servers') {
    throw new Error(`--target: expected embedded or servers, got "${target}"`);
  }
  const runners = Number(values.runners);
  if (!Number.isInteger(runners) || runners < 1) {
    throw new Error(`--runners: expected a whole number above 0, got "${values.runners}"`);
  }
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale: expected a number above 0, got "${values.scale}"`);
  return { target, runners, scale, ...chosen(scenario, target, known) };
}

function chosen(scenario: string, target: string, { pure, service, system }: Known): Known {
  if (scenario === 'all') return { pure: target === 'servers' ? [] : pure, service, system };
  if (system.includes(scenario)) return { pure: [], service: [], system: [scenario] };
  if (service.includes(scenario)) return { pure: [], service: [scenario], system: [] };
  if (!pure.includes(scenario)) {
    const names = [...system, ...service, ...pure].join(', ');
    throw new Error(`--scenario: expected one of ${names}, all; got "${scenario}"`);
  }
  if (target === 'servers') throw new Error(`--target servers: the scenario ${scenario} runs without any system.`);
  return { pure: [scenario], service: [], system: [] };
}
