import { trustedProxies, type RequestHead } from '@switchyard/http';

const proxies = (trusted: readonly string[], listener: 'port' | 'socket' = 'port', header = 'X-Forwarded-For') =>
  trustedProxies({ trusted_proxies: trusted, proxy_address_header: header }, listener);

const from = (remoteAddress: string, headers: Record<string, string[]> = {}) =>
  ({ remoteAddress, headerValues: (name: string) => headers[name] ?? [] }) as unknown as RequestHead;

const LIST = ['10.0.0.7', '10.1.0.0/16', 'fd00:1::/32', '2001:db8::5'];

describe('trusted proxies', () => {
  it.each([
    ['10.0.0.7', true],
    ['::ffff:10.0.0.7', true],
    ['10.1.255.1', true],
    ['fd00:1:2::3', true],
    ['2001:db8::5', true],
    ['10.0.0.8', false],
    ['10.2.0.1', false],
    ['::ffff:10.2.0.1', false],
    ['2001:db8::6', false],
    ['127.0.0.1', false],
    ['', false],
  ])('are recognised by the other end of the connection: %s', (address, expected) => {
    expect(proxies(LIST).isSender(from(address, { 'x-forwarded-for': ['10.0.0.7'] }))).toBe(expected);
  });

  it('are all clients of the Unix socket', () => {
    expect(proxies([], 'socket').isSender(from(''))).toBe(true);
    expect(proxies([], 'socket').clientAddress(from(''))).toBe('unix socket');
    expect(proxies([], 'socket').clientAddress(from('', { 'x-forwarded-for': ['192.0.2.1'] }))).toBe('192.0.2.1');
  });

  it.each([
    ['is that of the connection without a trusted proxy', '192.0.2.9', ['198.51.100.1'], '192.0.2.9'],
    ['is that of the proxy when it names none', '10.0.0.7', [], '10.0.0.7'],
    ['is the one that the proxy reports', '10.0.0.7', ['192.0.2.1'], '192.0.2.1'],
    ['is the last one that is not a proxy', '10.0.0.7', ['198.51.100.1, 192.0.2.1, 10.1.0.1'], '192.0.2.1'],
    ['takes several headers together', '10.0.0.7', ['198.51.100.1', '192.0.2.1, 10.1.0.1'], '192.0.2.1'],
    ['may have a port', '10.0.0.7', ['192.0.2.1:4711'], '192.0.2.1'],
    ['may have brackets and a port', '10.0.0.7', ['[2001:db8::1]:4711'], '2001:db8::1'],
    ['is the first one if all are proxies', '10.0.0.7', ['10.1.0.2, 10.1.0.1'], '10.1.0.2'],
    ['is not one before a text that is not an address', '10.0.0.7', ['192.0.2.1, unknown, 10.1.0.1'], '10.1.0.1'],
  ])('the address of the client %s', (_title, sender, values, expected) => {
    expect(proxies(LIST).clientAddress(from(sender, { 'x-forwarded-for': values }))).toBe(expected);
  });

  it('name the client in a header of their choice', () => {
    const request = from('10.0.0.7', { 'x-forwarded-for': ['198.51.100.1'], 'x-real-ip': ['192.0.2.1'] });
    expect(proxies(LIST, 'port', 'X-Real-IP').clientAddress(request)).toBe('192.0.2.1');
    expect(() => proxies(LIST, 'port', 'X Real')).toThrow('auth.proxy_address_header: expected the name of a header');
  });

  it.each([
    'proxy.lan',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/8/8',
  ])('cannot be named by "%s"', (entry) => {
    expect(() => proxies([entry])).toThrow(`auth.trusted_proxies: expected addresses such as 10.0.0.7`);
    expect(() => proxies([entry])).toThrow(`got "${entry}"`);
  });
});
