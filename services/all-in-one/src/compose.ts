import type { Assembly, ServiceGroup } from '@switchyard/assembly';
import { guardedAccounts } from '@switchyard/assembly/accounts';
import type { Service } from '@switchyard/host';
import type { ApiService } from './compose-listeners';
import { serviceEntry, serviceNames, type ServiceName } from './entries';

interface Composition {
  readonly services: readonly Service[];
  /** The API, if it runs here and also serves the routes of others. */
  readonly api: ApiService | undefined;
}

/** Loads and builds services for one process, in the order in which they start. Starts nothing. */
export async function composeServices(assembly: Assembly, names: readonly ServiceName[]): Promise<Composition> {
  const [api, auth, stream] = (['api', 'auth', 'stream'] as const).map((name) => names.includes(name));
  const listeners: Partial<Record<ServiceName, Service>> & { api?: ApiService } =
    api && (auth || stream)
      ? (await import('./compose-listeners.js')).composeListeners(assembly, { auth: !!auth, stream: !!stream })
      : {};
  const services: Service[] = [];
  for (const name of serviceNames.filter((each) => names.includes(each)))
    services.push(listeners[name] ?? (await serviceEntry(name)).create(assembly));
  return { services, api: listeners.api };
}

/** Several services in one process. They share its connections and parts. */
export async function serviceGroup(names: readonly ServiceName[]): Promise<ServiceGroup> {
  const members = await Promise.all(names.map(serviceEntry));
  return {
    name: names.join('+'),
    // The API's listener also issues tokens if auth runs in the same process.
    ...(names.includes('auth')
      ? { configure: (config, logger) => guardedAccounts(config, logger, names.filter(isListener)) }
      : {}),
    async prepare(assembly) {
      for (const member of members) await member.prepare?.(assembly);
    },
    create: async (assembly) => (await composeServices(assembly, names)).services,
    started(assembly) {
      for (const member of members) member.started?.(assembly);
    },
  };
}

const isListener = (name: ServiceName) => name === 'auth' || name === 'api' || name === 'stream';
