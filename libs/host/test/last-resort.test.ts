import { EventEmitter } from 'node:events';
import { outliveErrors } from '../src/last-resort';

function bench(log?: () => void) {
  const source = new EventEmitter();
  const lines: string[] = [];
  let nowMs = 0;
  const error = (message: string) => {
    log?.();
    lines.push(message);
  };
  outliveErrors(source, { error }, () => nowMs);
  return { source, lines, pass: (ms: number) => (nowMs += ms) };
}

describe('an uncaught error', () => {
  it('is logged, and the process keeps running', () => {
    const { source, lines } = bench();
    source.emit('uncaughtException', new RangeError('too deep'));
    source.emit('unhandledRejection', 'a text');
    expect(lines).toEqual(['An error was not caught: too deep', 'A rejection was not handled: a text']);
  });

  it('is only counted if there are too many', () => {
    const { source, lines, pass } = bench();
    for (let count = 0; count < 1000; count++) source.emit('uncaughtException', new Error('again'));
    expect(lines).toHaveLength(20);
    pass(61_000);
    source.emit('uncaughtException', new Error('later'));
    expect(lines.slice(20)).toEqual(['980 more uncaught errors were not logged.', 'An error was not caught: later']);
  });

  it('does not cause another one when logging fails', () => {
    const { source } = bench(() => {
      throw new Error('the disk is full');
    });
    expect(() => source.emit('uncaughtException', new Error('x'))).not.toThrow();
  });
});
