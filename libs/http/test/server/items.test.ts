import { request as httpRequest } from 'node:http';
import { route, type Route } from '@switchyard/http';
import { deferred } from '@switchyard/base';
import { listening, sampleApp } from '../sample-app';

async function* batches(count: number, failAt = -1): AsyncGenerator<readonly unknown[]> {
  for (let index = 0; index < count; index++) {
    if (index === failAt) throw new Error('the store is gone');
    yield [{ id: String(index), text: 'x'.repeat(100_000) }];
  }
}

const answering = (path: string, items: () => AsyncIterable<readonly unknown[]>): Route =>
  route({ method: 'GET', path, operation: path, summary: path, handle: () => ({ status: 200, items: items() }) });

const deep = (): unknown => JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;

async function* withUnwritable(): AsyncGenerator<readonly unknown[]> {
  yield [{ id: 'a' }, { id: 'b', value: deep() }, { id: 'c' }];
}

const large = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`key ${index}`, 'some text']));

const routes = [
  answering('/many', () => batches(50)),
  answering('/none', () => batches(0)),
  answering('/broken', () => batches(50, 20)),
  answering('/unwritable', withUnwritable),
];

/** The body, and whether it is complete. */
const read = (port: number, path: string, method = 'GET'): Promise<{ text: string; complete: boolean }> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-auth-token': 'good', 'accept-encoding': 'identity' };
    const sent = httpRequest({ port, path, method, headers }, (response) => {
      const parts: string[] = [];
      response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
      response.on('error', () => {});
      response.on('close', () => resolve({ text: parts.join(''), complete: response.complete }));
    });
    sent.on('error', reject).end();
  });

describe('a list that is sent while it is read', () => {
  it('is one JSON array, whatever its number of batches', async () => {
    await listening(sampleApp(routes).app, async (port) => {
      const { text } = await read(port, '/many');
      expect((JSON.parse(text) as { id: string }[]).map(({ id }) => Number(id))).toEqual([...Array(50).keys()]);
      expect((await read(port, '/none')).text).toBe('[]');
      expect(await read(port, '/many', 'HEAD')).toEqual({ text: '', complete: true });
    });
  });

  it('closes the connection if reading fails in the middle, and other requests continue', async () => {
    const { app, lines } = sampleApp(routes);
    await listening(app, async (port) => {
      expect((await read(port, '/broken')).complete).toBe(false);
      expect(lines.some(({ level, message }) => level === 'error' && message.includes('the store is gone'))).toBe(true);
      expect((await read(port, '/many')).complete).toBe(true);
    });
  });

  it.each(['identity', 'gzip'])(
    'stops reading if the client leaves while a large item is serialized (%s)',
    async (coding) => {
      const over = deferred();
      async function* items(): AsyncGenerator<readonly unknown[]> {
        try {
          yield [{ id: 'a' }];
          for (;;) yield [large];
        } finally {
          over.resolve();
        }
      }
      await listening(sampleApp([answering('/large', items)]).app, async (port) => {
        const headers = { 'x-auth-token': 'good', 'accept-encoding': coding };
        const sent = httpRequest({ port, path: '/large', headers }, () => sent.destroy()).on('error', () => {});
        sent.end();
        await over.promise;
      });
    },
  );

  it('has a note in place of a part that cannot be serialized', async () => {
    await listening(sampleApp(routes).app, async (port) => {
      const items = JSON.parse((await read(port, '/unwritable')).text) as object[];
      expect(items).toEqual([{ id: 'a' }, { id: 'b', value: { unreadable: expect.any(String) } }, { id: 'c' }]);
    });
  });
});
