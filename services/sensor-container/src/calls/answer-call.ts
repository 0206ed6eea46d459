import { fault, type Clock } from '@switchyard/base';
import type { Datastore } from '@switchyard/datastore';
import type { AccessControl } from '@switchyard/identity';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { dispatchCall, type DispatchOrigin } from './dispatch-call';
import { textOf, wholeNumberOf, type Parameters } from './read-parameters';

/** The user with whose rights sensors read and write the datastore. */
export const SENSOR_USER = 'sensor_service';

export interface CallDeps {
  readonly store: Pick<Store, 'triggers'>;
  readonly dispatch: Dispatch;
  readonly datastore: Pick<Datastore, 'get' | 'list' | 'put' | 'remove'>;
  readonly access: Pick<AccessControl, 'enabled' | 'rolesOf' | 'isAdmin'>;
  readonly maxPageSize: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'time'>;
}

type Answer = (deps: CallDeps, parameters: Parameters, origin: DispatchOrigin) => Promise<unknown>;

/**
 * Answers the calls of sensors, by name. Items are those of the system scope.
 * @throws Fault `sensor.call` and those of triggers and of the datastore
 */
export function answerCall(deps: CallDeps, method: string, parameters: Parameters, origin: DispatchOrigin) {
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
  if (!answer) throw fault('sensor.call', { reason: `there is no method "${method}"` });
  return answer(deps, parameters, origin);
}

const system = (parameters: Parameters) => ({ scope: 'system' as const, name: textOf(parameters, 'name') });

const answers: Readonly<Record<string, Answer>> = {
  dispatch: dispatchCall,
  async get_value({ datastore }, parameters) {
    const reading = parameters['decrypt'] === true ? { decryptFor: SENSOR_USER } : {};
    return (await datastore.get(system(parameters), reading))?.value;
  },
  async set_value({ datastore }, parameters) {
    await datastore.put(system(parameters), {
      value: textOf(parameters, 'value'),
      secret: parameters['encrypt'] === true,
      ttlSeconds: wholeNumberOf(parameters, 'ttl'),
    });
    return true;
  },
  delete_value: async ({ datastore }, parameters) => (await datastore.remove(system(parameters))) !== undefined,
  async list_values({ datastore, maxPageSize }, parameters) {
    const prefix = parameters['prefix'] == null ? undefined : textOf(parameters, 'prefix');
    const { items } = await datastore.list({
      scope: 'system',
      user: SENSOR_USER,
      prefix,
      limit: Math.min(wholeNumberOf(parameters, 'limit') || maxPageSize, maxPageSize),
      offset: wholeNumberOf(parameters, 'offset') ?? 0,
    });
    return items;
  },
  async get_user_info({ access }) {
    return {
      username: SENSOR_USER,
      authentication: { method: 'authentication token', location: 'header' },
      rbac: {
        enabled: access.enabled,
        roles: await access.rolesOf(SENSOR_USER),
        is_admin: await access.isAdmin(SENSOR_USER),
      },
    };
  },
};
