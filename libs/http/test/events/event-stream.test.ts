import { connect } from 'node:net';
import { request, type IncomingMessage } from 'node:http';
import { deferred, fault } from '@switchyard/base';
import type { EventSink, Route, RouteRequest } from '@switchyard/http';
import { eventFrame } from '../../src/events/event-stream';
import { listening, sampleApp } from '../sample-app';

const streamRoute = (run: (sink: EventSink, request: RouteRequest) => Promise<void>): Route => ({
  method: 'GET',
  path: '/stream',
  operation: 'stream.get',
  summary: 'Events',
  open: true,
  handle: (asked) => ({ status: 200, stream: (sink) => run(sink, asked) }),
});

/** Reads a stream. `until` resolves when the text contains a string. */
function open(port: number) {
  const answered = deferred<IncomingMessage>();
  const ended = deferred<string>();
  let text = '';
  const waiting: { part: string; found: () => void }[] = [];
  const sent = request({ port, path: '/stream' }, (answer) => {
    answered.resolve(answer);
    answer.on('data', (part) => {
      text += String(part);
      for (const { part: wanted, found } of waiting) if (text.includes(wanted)) found();
    });
    answer.on('close', () => ended.resolve(text));
    answer.on('error', () => undefined);
  });
  sent.on('error', () => undefined);
  sent.end();
  const until = (part: string) =>
    new Promise<void>((found) => (text.includes(part) ? found() : void waiting.push({ part, found })));
  return { sent, answered: answered.promise, ended: ended.promise, until };
}

describe('an event stream', () => {
  it('sends frames, and blank lines between them, and ends with its route', async () => {
    const go = deferred();
    const { app } = sampleApp([
      streamRoute(async (sink) => {
        sink.send({ event: 'svc.execution__create', data: { id: 1 } });
        await go.promise;
        sink.send({ event: 'EOF', data: "''", id: '7' });
      }),
    ]);
    await listening(app, async (port) => {
      const reader = open(port);
      const { statusCode, headers } = await reader.answered;
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/event-stream; charset=UTF-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      });
      await reader.until('event: svc.execution__create\ndata: {"id":1}\n\n\n');
      go.resolve();
      expect(await reader.ended).toMatch(/^\nevent: [^]*\n\n\n+event: EOF\nid: 7\ndata: ''\n\n$/);
    });
  });

  it('responds to an error before its first event like other routes, and ends after a later one', async () => {
    let first = true;
    const { app } = sampleApp([
      streamRoute(async (sink) => {
        if (first) {
          first = false;
          throw fault('execution.not-found', { id: 'x' });
        }
        sink.send({ data: 1 });
        throw new Error('later');
      }),
    ]);
    await listening(app, async (port) => {
      expect((await open(port).answered).statusCode).toBe(404);
      expect(await open(port).ended).toContain('data: 1\n\n: error: the stream failed');
    });
  });

  it('notices that its reader disconnected', async () => {
    const gone = deferred<boolean>();
    const { app } = sampleApp([
      streamRoute(async (sink, { signal }) => {
        sink.open();
        await sink.closed;
        gone.resolve(signal.aborted && sink.signal.aborted && !sink.send({ data: 1 }));
      }),
    ]);
    await listening(app, async (port) => {
      const reader = open(port);
      await reader.answered;
      reader.sent.destroy();
      expect(await gone.promise).toBe(true);
      expect(app.streams.size).toBe(0);
    });
  });

  it.each([true, false])(
    'keeps a reader of large events that follow at once if it waits for room: %j',
    async (waits) => {
      const large = Buffer.from(JSON.stringify('x'.repeat(400_000)));
      const { app } = sampleApp([
        streamRoute(async (sink) => {
          for (let i = 0; i < 20; i++) {
            if (waits) await sink.roomFor(large.length);
            sink.send({ event: `large-${i}`, data: large });
          }
          sink.send({ event: 'EOF', data: "''" });
        }),
      ]);
      await listening(app, async (port) => {
        const text = await open(port).ended;
        expect([text.includes('event: large-19'), text.includes('event: EOF')]).toEqual([waits, waits]);
        expect(text.includes(': dropped: events were read too slowly')).toBe(!waits);
      });
    },
  );

  it('drops a reader that is too slow', async () => {
    const dropped = deferred();
    const { app, lines } = sampleApp([
      streamRoute(async (sink) => {
        const data = 'x'.repeat(100_000);
        while (sink.send({ data })) await new Promise(setImmediate);
        dropped.resolve();
      }),
    ]);
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
      await dropped.promise;
      expect(lines.some(({ level, message }) => level === 'warn' && message.includes('too slow'))).toBe(true);
      expect(app.streams.size).toBe(0);
      socket.destroy();
    });
  });

  it('has room again when a slow reader continues or disconnects', async () => {
    const data = 'x'.repeat(100_000);
    const gone = deferred();
    const { app } = sampleApp([
      streamRoute(async (sink) => {
        for (let i = 0; i < 100; i++) {
          await sink.drained();
          sink.send({ data });
        }
        sink.send({ data: 'all' });
        await sink.closed;
        await sink.drained();
        gone.resolve();
      }),
    ]);
    await listening(app, async (port) => {
      const reader = open(port);
      const answer = await reader.answered;
      answer.pause();
      setImmediate(() => answer.resume());
      await reader.until('data: all\n\n');
      reader.sent.destroy();
      await gone.promise;
    });
  });

  it('ends when the service stops', async () => {
    const { app } = sampleApp([
      streamRoute(async (sink) => {
        sink.open();
        await sink.closed;
      }),
    ]);
    await listening(app, async (port) => {
      const reader = open(port);
      await reader.answered;
      app.streams.endAll('the service stops');
      expect(await reader.ended).toContain(': the service stops');
    });
  });

  it('ends at once with a valid head if the service stops before it begins', async () => {
    const [asked, go] = [deferred(), deferred()];
    const late: Route = {
      ...streamRoute((sink) => sink.closed),
      async handle() {
        asked.resolve();
        await go.promise;
        return { status: 200, stream: (sink) => sink.closed };
      },
    };
    const { app } = sampleApp([late]);
    await listening(app, async (port) => {
      const reader = open(port);
      await asked.promise;
      app.streams.endAll('the service stops');
      go.resolve();
      expect((await reader.answered).headers['content-type']).toContain('text/event-stream');
      expect(await reader.ended).toContain(': the service stops');
    });
  });
});

describe('eventFrame', () => {
  it.each([
    [{ data: 'a\nb\r\nc' }, 'data: a\ndata: b\ndata: c\n\n'],
    [{ event: 'x\ny', data: null }, 'event: x y\ndata: null\n\n'],
    [{ event: 'x', id: '7', data: Buffer.from('{"ä":1}') }, 'event: x\nid: 7\ndata: {"ä":1}\n\n'],
  ])('formats %p', (event, text) => expect(eventFrame(event).map(String).join('')).toBe(text));
});
