/// <reference types="jest" />

import { eventually } from '@switchyard/testkit/platform';
import type { Side } from '../side';
import { filledIn, memberAt, type ConsoleCall, type Kept } from './console-call';
import { contentPages } from './content-pages';
import { executionPages } from './execution-pages';

const MINUTES = 60_000;

/** What the console knows after the login: the token, which it sends itself, and the cookie, which the browser sends. */
interface Session {
  readonly token: string;
  cookie: string;
}

/** Declares a test for each request, in order, so that later pages show what earlier ones have made. */
export function consoleRequests(sideOf: () => Side): void {
  let session: Session;
  let events: EventStream;
  const kept: Record<string, unknown> = {};

  beforeAll(async () => {
    const { auth, stream } = sideOf();
    const authorization = `Basic ${Buffer.from('testu:testp').toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const login = await fetch(`${auth}/tokens`, { method: 'POST', headers });
    const body = await login.json();
    expect([login.status, ...['token', 'user', 'expiry'].filter((name) => memberAt(body, name) === undefined)]).toEqual(
      [201],
    );
    expect(Date.parse(String(memberAt(body, 'expiry')))).toBeGreaterThan(Date.now());
    session = { token: String(memberAt(body, 'token')), cookie: '' };
    // The console asks for the history first; the browser keeps the cookie of the response for the event stream.
    await sent({ path: '/executions', query: { parent: 'null', limit: '50', offset: '0' } });
    events = await openStream(`${stream}/stream`, session.cookie);
  }, 3 * MINUTES);
  afterAll(() => events?.close());

  const sent = async ({ method, path, query, body, by = 'header' }: ConsoleCall) => {
    const { token, cookie } = session;
    const values = Object.entries(query ?? {}).map(([name, value]) => [name, filledIn(value, kept)]);
    const search = values.length > 0 ? `?${new URLSearchParams(values).toString()}` : '';
    const credential: Record<string, string> = by === 'cookie' ? {} : { 'x-auth-token': token };
    const response = await fetch(`${sideOf().api}/v1${filledIn(path, kept)}${search}`, {
      method: method ?? 'GET',
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }), ...credential },
      ...(body && { body: JSON.stringify(body(kept)) }),
    });
    session.cookie = /auth-token=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? cookie;
    return { status: response.status, headers: response.headers, body: valueOf(response, await response.text()) };
  };

  const answered = async (call: ConsoleCall) => {
    const { until } = call;
    let answer = await sent(call);
    if (!until) return answer;
    const isThere = () => Object.entries(until).every(([path, value]) => memberAt(answer.body, path) === value);
    await eventually(
      async () => isThere() || (answer = await sent(call)) === undefined,
      () => `${call.path}: ${JSON.stringify(Object.keys(until).map((path) => memberAt(answer.body, path)))}`,
    );
    return answer;
  };

  const check = async (call: ConsoleCall): Promise<Kept> => {
    const { status, headers, body } = await answered(call);
    const missing = [
      ...(call.reads ?? []).filter((path) => memberAt(body, path) === undefined),
      ...(call.headers ?? []).filter((name) => !headers.has(name)),
    ];
    const failed = status === (call.status ?? 200) ? undefined : body;
    expect({ status, missing, failed }).toEqual({ status: call.status ?? 200, missing: [], failed: undefined });
    return Object.fromEntries(Object.entries(call.keeps ?? {}).map(([name, path]) => [name, memberAt(body, path)]));
  };

  describe.each([...executionPages, ...contentPages])('the page $title', ({ calls }) => {
    it.each(calls.map((call) => [`${call.method ?? 'GET'} ${call.path}`, call] as const))(
      'gets what it reads from %s',
      async (_, call) => void Object.assign(kept, await check(call)),
      2 * MINUTES,
    );
  });

  it(
    'get events of runs as they happen, with the cookie alone',
    async () => {
      const id = String(kept['execution']);
      const named = (name: string) =>
        events.received().find(({ event, data }) => event === name && memberAt(data, 'id') === id);
      await eventually(
        () => named('st2.execution__create') && named('st2.execution__update'),
        () => `${events.received().length} events`,
      );
      const { data } = named('st2.execution__create')!;
      const read = ['id', 'status', 'start_timestamp', 'parameters', 'action.id', 'action.ref', 'context.user'];
      expect(read.filter((path) => memberAt(data, path) === undefined)).toEqual([]);
    },
    2 * MINUTES,
  );

  it(
    'get the output of a run, with the cookie alone',
    async () => {
      const output = await openStream(
        `${sideOf().stream}/executions/${String(kept['execution'])}/output`,
        session.cookie,
      );
      await eventually(
        () => output.received().some(({ event }) => event === 'EOF'),
        () => `${output.received().length} events`,
      );
      output.close();
      const texts = output.received().filter(({ event }) => event === 'st2.execution.output__create');
      expect(texts.map(({ data }) => memberAt(data, 'data')).join('')).toBe('first\nsecond\n');
    },
    2 * MINUTES,
  );
}

const valueOf = (response: Response, text: string): unknown =>
  response.headers.get('content-type')?.includes('application/json') ? JSON.parse(text) : text;

interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

interface EventStream {
  received(): readonly ReceivedEvent[];
  close(): void;
}

/** Reads a stream of events as the `EventSource` of a browser does, which sends the cookie and no headers of its own. */
async function openStream(address: string, cookie: string): Promise<EventStream> {
  const closing = new AbortController();
  const response = await fetch(address, {
    headers: { accept: 'text/event-stream', cookie },
    signal: closing.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  reading.catch(() => undefined);
  return { received: () => text.split('\n\n').slice(0, -1).flatMap(readEvent), close: () => closing.abort() };
}

function readEvent(block: string): ReceivedEvent[] {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
  const [event, data] = [field('event'), field('data')];
  // The last event of an output has no JSON.
  return event === undefined ? [] : [{ event, data: event.startsWith('st2.') && data ? JSON.parse(data) : undefined }];
}
