/** Where the API is, and who asks. */
export interface ApiAccess {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly token: string | undefined;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Calls of the API by the fetch of Node.js, and by nothing else: an action's process loads no more than it needs. They
 * reject with what the API says.
 */
export function createApiCalls({ url, token }: ApiAccess) {
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
  /** @returns undefined when there is no such thing */
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
    super(faultString(text) ?? `The API answered with status ${status}.`);
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
