import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { TextCache } from '../../src/jinja/text-cache';

describe('a cache of texts', () => {
  const made: string[] = [];
  const make = (text: string): { text: string } => {
    made.push(text);
    return { text };
  };

  beforeEach(() => made.splice(0));

  it('computes the result for a text once', () => {
    const cache = new TextCache<{ text: string }>();
    expect(cache.get('a', make)).toBe(cache.get('a', make));
    expect(made).toEqual(['a']);
  });

  it('keeps used texts and drops unused ones', () => {
    const cache = new TextCache<{ text: string }>(4);
    for (const text of ['often', 'once', 'often', '2', 'often', '3', 'often', '4', 'often', 'once']) {
      cache.get(text, make);
    }
    expect(made).toEqual(['often', 'once', '2', '3', '4', 'once']);
  });

  it('stores neither long texts nor failures', () => {
    const cache = new TextCache<{ text: string }>(4, 3);
    cache.get('long', make);
    cache.get('long', make);
    expect(made).toEqual(['long', 'long']);
    const refuse = () => {
      throw new Error('no');
    };
    expect(() => cache.get('bad', refuse)).toThrow('no');
    expect(cache.get('bad', make)).toEqual({ text: 'bad' });
  });

  it('is as fast with many texts as with few', () => {
    const cache = new TextCache<{ text: string }>();
    for (let at = 0; at < 10_000; at += 1) cache.get(`text ${at}`, make);
    const start = cpuTimeMs();
    for (let at = 0; at < 200_000; at += 1) cache.get('text 9999', make);
    expect(cpuTimeMs() - start).toBeLessThan(20_000);
  });
});
