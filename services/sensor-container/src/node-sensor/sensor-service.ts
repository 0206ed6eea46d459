import type { SensorStartMessage } from '../process/protocol';
import type { ContainerLink } from './container-link';
import type { SensorLogger, SensorService } from './contract';

export function createSensorService(
  { call, send }: Pick<ContainerLink, 'call' | 'send'>,
  { pack, class_name }: SensorStartMessage,
): SensorService {
  const logger = createLogger(send, `${pack}.${class_name}`);
  const named = (name: string, local = true) => (local ? `${pack}.${class_name}:${name}` : name);
  return {
    logger,
    async dispatch(trigger, payload = null, { traceTag, traceId } = {}) {
      const trace_context = { ...(traceTag ? { trace_tag: traceTag } : {}), ...(traceId ? { id_: traceId } : {}) };
      const given = Object.keys(trace_context).length > 0 ? trace_context : null;
      await call('dispatch', { trigger, payload, trace_context: given }).catch((error: unknown) =>
        logger.error((error as Error).message),
      );
    },
    getValue: async (name, { local, decrypt = false } = {}) =>
      (await call('get_value', { name: named(name, local), decrypt })) as string | null,
    async setValue(name, value, { local, encrypt = false, ttlSeconds: ttl = null } = {}) {
      await call('set_value', { name: named(name, local), value: String(value), encrypt, ttl });
    },
    deleteValue: async (name, { local } = {}) => (await call('delete_value', { name: named(name, local) })) === true,
    listValues: async ({ local, prefix = '', limit = null, offset = 0 } = {}) =>
      (await call('list_values', { prefix: named(prefix, local), limit, offset })) as { name: string; value: string }[],
  };
}

function createLogger(send: ContainerLink['send'], name: string): SensorLogger {
  const at = (level: string) => (message: string) =>
    send({ type: 'log', level, logger: `svc.sensor.${name}`, message: String(message) });
  return { debug: at('DEBUG'), info: at('INFO'), warn: at('WARNING'), error: at('ERROR') };
}
