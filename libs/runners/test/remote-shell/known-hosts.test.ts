import { matchesPatterns, knownHostName, knownKeys } from '../../src/remote-shell/host-keys/known-hosts';

const FILE = `
# web keys
web1,web2 ssh-ed25519 WEB one
*.example.org,!bad.example.org ssh-rsa WILD
[web1]:2222 ssh-ed25519 PORT
10.0.0.? ssh-rsa RANGE
@revoked * ssh-rsa OLD
@cert-authority * ssh-rsa AUTHORITY
|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-rsa HASHED
broken line
`;

describe('known hosts', () => {
  it.each([
    ['web1', 22, ['WEB']],
    ['WEB2', 22, ['WEB']],
    ['web1', 2222, ['PORT']],
    ['web2', 2222, []],
    ['good.example.org', 22, ['WILD']],
    ['bad.example.org', 22, []],
    ['example.org', 22, []],
    ['10.0.0.7', 22, ['RANGE']],
    ['10.0.0.17', 22, []],
    ['192.168.1.61', 22, ['HASHED']],
  ])('are found for %s port %d', (host, port, trusted) => {
    expect(knownKeys(FILE, knownHostName(host, port))).toEqual({ trusted, revoked: ['OLD'] });
  });
});

describe('a pattern', () => {
  it.each([
    [['*'], true],
    [['web?'], true],
    [['web1?'], false],
    [['w*1', '!web1'], false],
    [['!web2'], false],
    [['!web2', '*'], true],
    [['w.b1'], false],
    [['(web1)+'], false],
  ])('%j matches web1: %s', (patterns, expected) => {
    expect(matchesPatterns(patterns, 'web1')).toBe(expected);
  });
});
