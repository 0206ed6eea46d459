import { part, type Assembly } from '../src';

const processOf = (version: string) => ({ about: { version, docsUrl: '' } }) as Assembly;

describe('a part', () => {
  it('is built on first use, and once per process', () => {
    const built: string[] = [];
    const versionOf = part(({ about }) => {
      built.push(about.version);
      return { version: about.version };
    });
    const one = processOf('1');
    expect(built).toEqual([]);
    expect(versionOf(one)).toBe(versionOf(one));
    expect(built).toEqual(['1']);
  });

  it('is built separately in each process', () => {
    const versionOf = part(({ about }) => ({ version: about.version }));
    expect([versionOf(processOf('1')), versionOf(processOf('2'))]).toEqual([{ version: '1' }, { version: '2' }]);
  });

  it('is built only once, even if it is undefined', () => {
    let count = 0;
    const nothingOf = part(() => void count++);
    const one = processOf('1');
    nothingOf(one);
    nothingOf(one);
    expect(count).toBe(1);
  });
});
