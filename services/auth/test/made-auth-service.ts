import { createAuthService } from '@switchyard/auth';
import { systemClock } from '@switchyard/base';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { createIdentities, type AccessControl, type AuditTrail } from '@switchyard/identity';
import { captureDestination, createLogger } from '@switchyard/telemetry';
import { memoryStore } from '../../../libs/identity/test/memory-store';

type AuthStore = ReturnType<typeof memoryStore>['store'];

interface MadeOptions {
  store?: AuthStore;
  access?: AccessControl;
  audit?: AuditTrail;
}

/** An auth service with the configuration of a test, on a store in memory unless one is given. It is not started
 * yet. */
export function madeAuthService(
  auth: ConfigOverrides['auth'] = {},
  others: ConfigOverrides = {},
  { store = memoryStore().store, access, audit }: MadeOptions = {},
) {
  const { config } = loadConfig({ environment: {}, overrides: { ...others, auth: { port: 0, ...auth } } });
  const clock = systemClock();
  const identities = createIdentities({ store, clock, config, ...(access ? { access } : {}) });
  const destination = captureDestination();
  const logger = createLogger({
    service: 'auth',
    mask: true,
    maskNames: [],
    outputs: [{ level: 'info', format: 'json', destination }],
  });
  const service = createAuthService({
    config,
    identities,
    store: { ...store, ping: () => Promise.resolve() },
    clock,
    logger,
    about: { version: '1.2.3', docsUrl: '/docs' },
    ...(audit ? { audit } : {}),
  });
  const audited = () => destination.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'audit');
  return {
    service,
    store,
    identities,
    audited,
    lines: () => destination.lines,
    url: () => `http://127.0.0.1:${service.address().port}`,
  };
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
