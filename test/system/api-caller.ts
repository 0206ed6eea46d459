import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  // Response bodies of any shape, so that callers need no casts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

/** Calls the API of one system over keep-alive connections. */
export interface ApiCaller {
  /** The headers of each request, with the credential. */
  readonly headers: Readonly<Record<string, string>>;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): void;
}

/** Logs in and calls the API with the token. @param auth base address of the auth service */
export async function login(api: string, auth: string, user = 'testu', password = 'testp'): Promise<ApiCaller> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const answer = await send(agent, 'POST', `${auth}/tokens`, { authorization: basic }, {});
  if (answer.status !== 201) throw new Error(`login failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  return callerWith(api, { 'x-auth-token': (answer.body as { token: string }).token }, agent);
}

/** Calls the API with these headers, which contain the credential. */
export const callerWith = (
  api: string,
  headers: Record<string, string>,
  agent = new Agent({ keepAlive: true, maxSockets: 64 }),
): ApiCaller => ({
  headers,
  call: (method, path, body) => send(agent, method, api + path, headers, body),
  close: () => agent.destroy(),
});

function send(
  agent: Agent,
  method: string,
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, agent, headers: { ...headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, body: parsed(received), headers: response.headers });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
