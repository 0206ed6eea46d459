import { request } from 'node:http';
import { gathered, type Gathered } from '@switchyard/testkit';

export interface ReadEvent {
  name: string;
  body: Record<string, unknown> & { id?: string; status?: string; data?: string };
}

export interface EventReader {
  readonly events: Gathered<ReadEvent>;
  /** The whole text, once the server has ended the stream. */
  readonly ended: Promise<string>;
  /** Pauses reading, like a reader that is too slow, and resumes it. */
  pause(): void;
  resume(): void;
  leave(): void;
}

/** Opens a stream. @returns once the server has responded, so that no later event is missed */
export function readEvents(port: number, path: string): Promise<EventReader> {
  const events = gathered<ReadEvent>();
  let text = '';
  let rest = '';
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`the stream responded with ${answer.statusCode}`));
      const ended = new Promise<string>((done) => answer.on('close', () => done(text)));
      answer.setEncoding('utf8').on('error', () => undefined);
      answer.on('data', (part: string) => {
        text += part;
        const frames = (rest + part).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) for (const event of parsed(frame)) events.add(event);
      });
      resolve({
        events,
        ended,
        pause: () => answer.pause(),
        resume: () => answer.resume(),
        leave: () => sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

function parsed(frame: string): ReadEvent[] {
  const [, name, data] = /event: (.*)\ndata: (.*)/.exec(frame) ?? [];
  if (name === undefined || data === undefined) return [];
  return [{ name, body: name === 'EOF' ? {} : (JSON.parse(data) as ReadEvent['body']) }];
}
