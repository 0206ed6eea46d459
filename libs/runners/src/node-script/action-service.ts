import type { ActionLogger, ActionOutcome, ActionService } from './contract';
import { createApiCalls, type ApiAccess } from './api-calls';
import { LOG_LEVELS, type LogLevel, type StartMessage } from './protocol';

/** Told apart from what an action may return by itself. */
export class OwnOutcome implements ActionOutcome {
  constructor(
    readonly succeeded: boolean,
    readonly result: unknown,
  ) {}
}

export function createActionService(start: StartMessage, access: ApiAccess): ActionService {
  const { call, find } = createApiCalls(access);
  const prefixed = (name: string, local = true) => (local ? `${start.pack}.${start.action}:${name}` : name);
  const pathOf = (name: string, local?: boolean) => `keys/${encodeURIComponent(prefixed(name, local))}`;
  return {
    logger: createLogger(`actions.node.${start.pack}.${start.action}`, start.logLevel),
    executionId: start.executionId,
    async getValue(name, { local, decrypt = false } = {}) {
      const item = await find('GET', pathOf(name, local), { scope: 'system', decrypt });
      return item === undefined ? null : (item as { value: string }).value;
    },
    async setValue(name, value, { local, encrypt = false, ttlSeconds: ttl } = {}) {
      const item = { name: prefixed(name, local), value: String(value), scope: 'system', secret: encrypt };
      await call('PUT', pathOf(name, local), {}, ttl === undefined ? item : { ...item, ttl });
    },
    deleteValue: async (name, { local } = {}) =>
      (await find('DELETE', pathOf(name, local), { scope: 'system' })) !== undefined,
    async listValues({ local, prefix = '', limit, offset } = {}) {
      const items = await call('GET', 'keys', { scope: 'system', prefix: prefixed(prefix, local), limit, offset });
      return (items as { name: string; value: string }[]).map(({ name, value }) => ({ name, value }));
    },
    getUserInfo: async () => (await call('GET', 'user')) as Record<string, unknown>,
    failed: (result = null) => new OwnOutcome(false, result),
    succeeded: (result = null) => new OwnOutcome(true, result),
  };
}

function createLogger(name: string, threshold: LogLevel): ActionLogger {
  const at = (level: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(threshold)) return;
    process.stderr.write(`${name}: ${level} ${String(message)}\n`);
  };
  return { debug: at('DEBUG'), info: at('INFO'), warn: at('WARNING'), error: at('ERROR') };
}
