import { statusOf } from '../../src/remote-shell/remote-run';
import { remoteHosts } from '../../src/remote-shell/target/remote-hosts';

describe('a list of hosts', () => {
  it.each([
    ['a', [{ name: 'a', host: 'a' }]],
    [
      ' a , b:2222 ,',
      [
        { name: 'a', host: 'a' },
        { name: 'b', host: 'b', port: 2222 },
      ],
    ],
    [
      '[::1]:22, ::2, [::3]',
      [
        { name: '::1', host: '::1', port: 22 },
        { name: '::2', host: '::2' },
        { name: '::3', host: '::3' },
      ],
    ],
    ['a, a', [{ name: 'a', host: 'a' }]],
    [
      'a:1, a:2, a',
      [
        { name: 'a:1', host: 'a', port: 1 },
        { name: 'a:2', host: 'a', port: 2 },
        { name: 'a', host: 'a' },
      ],
    ],
  ])('can be %j', (text, hosts) => {
    expect(remoteHosts(text, 'id')).toEqual(hosts);
  });

  it.each(['a:b', 'a:0', 'a:70000', 'a;b', '-a', '[a', 'user@a', '*'])('cannot be %j', (text) => {
    expect(() => remoteHosts(text, 'id')).toThrow(/is neither a host nor/);
  });
});

describe('the status of a run', () => {
  it.each([
    [['succeeded', 'succeeded'], 'succeeded', 'succeeded'],
    [['succeeded', 'failed'], 'failed', 'succeeded'],
    [['timeout', 'failed'], 'failed', 'failed'],
    [['timeout', 'timeout'], 'timeout', 'timeout'],
    [['succeeded', 'timeout'], 'timeout', 'succeeded'],
    [['canceled', 'succeeded'], 'canceled', 'canceled'],
  ] as const)('after %j is %s, or %s when one success is enough', (statuses, strict, lenient) => {
    expect([statusOf(statuses, false), statusOf(statuses, true)]).toEqual([strict, lenient]);
  });
});
