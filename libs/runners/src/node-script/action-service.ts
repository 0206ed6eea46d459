import type { ActionLogger, ActionOutcome, ActionService } from './contract';
import { LOG_LEVELS, type NodeLogLevel, type NodeStartMessage } from './protocol';

/** An outcome made by `ActionService`, to distinguish it from ordinary return values. */
export class OwnOutcome implements ActionOutcome {
  constructor(
    readonly succeeded: boolean,
    readonly result: unknown,
  ) {}
}

export function createActionService(start: NodeStartMessage, access: ApiAccess): ActionService {
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

function createLogger(name: string, threshold: NodeLogLevel): ActionLogger {
  const at = (level: NodeLogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(threshold)) return;
    process.stderr.write(`${name}: ${level} ${String(message)}\n`);
  };
  return { debug: at('DEBUG'), info: at('INFO'), warn: at('WARNING'), error: at('ERROR') };
}

/** The URL of the API and the token to use. */
export interface ApiAccess {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly token: string | undefined;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Calls the API with Node's own `fetch`, so that an action's process loads no extra modules. Calls reject with the message
 * of the API.
 */
function createApiCalls({ url, token }: ApiAccess) {
  async function call(method: string, path: string, query: Query = {}, body?: object): Promise<unknown> {
    const response = await fetch(addressOf(url, path, query), {
      method,
      headers: {
        ...(token !== undefined && { 'X-Auth-Token': token }),
        ...((body ?? method === 'POST') && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new ApiRefusal(response.status, text);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }
  /** @returns undefined for status 404 */
  const find = (...parameters: Parameters<typeof call>): Promise<unknown> =>
    call(...parameters).catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.status === NOT_FOUND) return undefined;
      throw error;
    });
  return { call, find };
}

const NOT_FOUND = 404;

class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(faultString(text) ?? `The API responded with status ${status}.`);
  }
}

function faultString(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { faultstring?: string }).faultstring;
  } catch {
    return undefined;
  }
}

function addressOf(base: string, path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return `${base.replace(/\/$/, '')}/${path}${search === '' ? '' : `?${search}`}`;
}
