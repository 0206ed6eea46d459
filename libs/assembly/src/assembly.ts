import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@switchyard/config';
import { createHealthListeners, type Platform, type Service } from '@switchyard/host';
import type { About } from '@switchyard/http';
import type { Logger } from '@switchyard/telemetry';

/**
 * What the services of one process are built on. Each shared part (`executionsOf`, `triggersOf`, …) is a separate
 * module: a process loads only the parts that its services import, and builds each of them once.
 */
export interface Assembly {
  readonly platform: Platform;
  readonly about: About;
  readonly environment: NodeJS.ProcessEnv;
}

/** How one service of a process is built and run. Each service package exports one of these from its `assemble.ts`. */
export interface ServiceEntry {
  readonly name: string;
  /** Whether its program takes `--sensor-ref` and `--single-sensor-mode`. */
  readonly takesSensorFlags?: true;
  /** Builds the service; nothing is started. */
  create(assembly: Assembly): Service;
  /**
   * Completes the configuration before anything is opened.
   * @throws Fault `config.conflict` for one that the service must not run with
   */
  configure?(config: Config, logger: Logger): Promise<Config>;
  /** Writes the records that must exist before the service starts. */
  prepare?(assembly: Assembly): Promise<void>;
  /** Starts work that can wait until the service has started. */
  started?(assembly: Assembly): void;
}

/** What one process runs: one service or several. */
export interface ServiceGroup extends Omit<ServiceEntry, 'create'> {
  /** Builds the services in the order in which they start. */
  create(assembly: Assembly): readonly Service[] | Promise<readonly Service[]>;
}

export const createAssembly = (platform: Platform, environment: NodeJS.ProcessEnv): Assembly => ({
  platform,
  about: aboutProduct(),
  environment,
});

/** The version of the product, from its package. */
function aboutProduct(): About {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
  return { version, docsUrl: 'https://docs.stackstorm.com/latest' };
}

/** A part of a process: built on first use, and shared by all services of the process. */
export function part<T>(build: (assembly: Assembly) => T): (assembly: Assembly) => T {
  const built = new WeakMap<Assembly, { readonly value: T }>();
  return (assembly) => {
    const known = built.get(assembly) ?? { value: build(assembly) };
    built.set(assembly, known);
    return known.value;
  };
}

/** The platform for one service: its log lines carry the name of the service. */
export const platformOf = ({ platform }: Assembly, service: string): Platform => ({
  ...platform,
  logger: platform.logger.child({ service }),
});

const healthListenersOf = part(({ platform: { config, metrics } }) =>
  createHealthListeners(config.api.host, metrics.page),
);

/** Gives a service without an HTTP interface its health listener; port 0 means none. */
export const withHealth = (assembly: Assembly, port: number, service: Service): Service =>
  healthListenersOf(assembly)(service, port);
