import { startServer, type TestServer } from '../http-request/http-servers';
import { observedTrial } from './observed-trial';
import { until, type Given, type Row, type RunnerAdapter } from './runner-adapter';

/** Its work is a server's response. */
export function httpRequestAdapter(): RunnerAdapter {
  let server: TestServer;
  const waiting = new Set<unknown>();
  return {
    runner: 'http-request',
    notes: { 'output in pieces': 'an answer is a result, and no output' },
    async open() {
      server = await startServer(({ url }, response) => {
        const [, work = '', bytes] = url.split('/');
        if (work === 'endless') {
          waiting.add(response);
          response.socket!.on('error', () => undefined).once('close', () => waiting.delete(response));
        } else response.writeHead(work === 'fail' ? 500 : 200).end('x'.repeat(Number(bytes)));
      });
    },
    close: () => server.close(),
    begin(work, given = {}) {
      const secret = given.secret ?? 'none';
      const begun = observedTrial(
        {
          runner: 'http-request',
          parameters: {
            url: `${server.url.replace('//', `//${secret}@`)}/${work}/${given.bytes ?? 0}`,
            password: secret,
            headers: { 'X-Auth-Token': secret },
          },
          actionParameters: { timeout: given.timeout ?? 60 },
          settings: { environment: {} },
        },
        given,
      );
      return {
        ...begun,
        inMidRun: () => until(() => waiting.size > 0),
        // The server notices a closed connection a moment later.
        async left() {
          await until(() => waiting.size === 0);
          return [...waiting];
        },
      };
    },
  };
}

const AT_ONCE: Partial<Record<Row, string>> = {
  timeout: 'it is over at once',
  cancel: 'it is over at once',
  'cancel at once': 'it is over at once',
  'output in pieces': 'it has no output',
  'big output': 'it has no output',
};

/** A runner that ends immediately. @param failing parameters that make it fail */
function instantAdapter(
  runner: string,
  parameters: Readonly<Record<string, unknown>>,
  failing: Readonly<Record<string, unknown>> | undefined,
  notes: Partial<Record<Row, string>>,
): RunnerAdapter {
  return {
    runner,
    notes: { ...AT_ONCE, ...notes },
    open: async () => undefined,
    close: async () => undefined,
    begin: (work, given: Given = {}) =>
      observedTrial(
        {
          runner,
          parameters: work === 'fail' ? { ...failing } : parameters,
          actionParameters: { password: given.secret ?? '' },
        },
        given,
      ),
  };
}

export const announcementAdapter = (): RunnerAdapter =>
  instantAdapter('announcement', { experimental: true }, { experimental: false }, {});

export const noopAdapter = (): RunnerAdapter =>
  instantAdapter('noop', {}, undefined, { failure: 'nothing can go wrong', secrets: 'it reads nothing' });
