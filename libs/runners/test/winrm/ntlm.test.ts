import { channelBinding } from '../../src/winrm/ntlm/channel-binding';
import { md4, Rc4 } from '../../src/winrm/ntlm/legacy-crypto';
import { authenticate } from '../../src/winrm/ntlm/ntlm-messages';
import { ntlmAccount, ntlmProof } from '../../src/winrm/ntlm/ntlm-proof';
import { NtlmSession } from '../../src/winrm/ntlm/ntlm-session';
import { ATTRIBUTE, readTargetInfo } from '../../src/winrm/ntlm/challenge-message';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('MD4', () => {
  // RFC 1320, A.5.
  it.each([
    ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
    ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
    ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
    ['message digest', 'd9130a8164549fe818874806e1c7014b'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', '043f8582f241db351ce627e153e7f0e4'],
    ['1234567890'.repeat(8), 'e33b4ddc9c38f2199c3e7b164fcc0536'],
  ])('hashes "%s"', (text, digest) => {
    expect(md4(Buffer.from(text)).toString('hex')).toBe(digest);
  });
});

describe('RC4', () => {
  // RFC 6229, the first bytes of the stream.
  it.each([
    ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
    ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
  ])('encrypts with the key %s', (key, stream) => {
    const cipher = new Rc4(hex(key));
    const parts = [cipher.apply(Buffer.alloc(5)), cipher.apply(Buffer.alloc(11))];
    expect(Buffer.concat(parts).toString('hex')).toBe(stream);
  });
});

describe('NTLM with the example of its specification (MS-NLMP, 4.2.4)', () => {
  const account = { domain: 'Domain', user: 'User', password: 'Password' };
  const targetInfo = readTargetInfo(hex('02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000'))!;
  const sessionKey = Buffer.alloc(16, 0x55);

  it('proves knowledge of the password', () => {
    const time = new Date(-11_644_473_600_000);
    const nonces = { serverNonce: hex('0123456789abcdef'), clientNonce: Buffer.alloc(8, 0xaa) };
    const { lmResponse, ntResponse, sessionBaseKey } = ntlmProof({ account, ...nonces, targetInfo, now: time });
    expect(lmResponse).toEqual(hex('86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa'));
    expect(ntResponse.subarray(0, 16)).toEqual(hex('68cd0ab851e51c96aabc927bebef6a1c'));
    expect(sessionBaseKey).toEqual(hex('8de40ccadbc14a82f15cb0ad0de95ca3'));
    expect(new Rc4(sessionBaseKey).apply(sessionKey)).toEqual(hex('c5dad2544fc9799094ce1ce90bc9d03e'));
  });

  it('omits the older response when the server sends its time', () => {
    const timed = new Map(targetInfo).set(ATTRIBUTE.timestamp, Buffer.alloc(8));
    const nonces = { serverNonce: Buffer.alloc(8), clientNonce: Buffer.alloc(8) };
    expect(ntlmProof({ account, ...nonces, targetInfo: timed, now: new Date() }).lmResponse).toEqual(Buffer.alloc(24));
  });

  it('encrypts and signs a message', () => {
    const { bytes, signature } = new NtlmSession(sessionKey).seal(Buffer.from('Plaintext', 'utf16le'));
    expect(bytes).toEqual(hex('54e50165bf1936dc996020c1811b0f06fb5f'));
    expect(signature).toEqual(hex('010000007fb38ec5c55d497600000000'));
  });
});

describe('NTLM', () => {
  it.each([
    ['WIN\\me', { domain: 'WIN', user: 'me' }],
    ['me@win.example', { domain: '', user: 'me@win.example' }],
    ['me', { domain: '', user: 'me' }],
  ])('reads the user name %s', (name, parts) => {
    expect(ntlmAccount(name, 'pw')).toEqual({ ...parts, password: 'pw' });
  });

  it('accepts each message once, in order and unchanged', () => {
    const key = Buffer.alloc(16, 1);
    const [client, server] = [new NtlmSession(key), new NtlmSession(key, 'server')];
    const sealed = [client.seal(Buffer.from('one')), client.seal(Buffer.from('two'))] as const;
    expect(server.unseal(sealed[0])?.toString()).toBe('one');
    expect(server.unseal(sealed[1])?.toString()).toBe('two');
    expect(server.unseal(sealed[1])).toBeUndefined();
    const other = new NtlmSession(key, 'server');
    expect(other.unseal({ ...sealed[0], bytes: Buffer.from('xxx') })).toBeUndefined();
  });

  it.each([
    ['is too short', Buffer.from('NTLMSSP\0')],
    ['is of another kind', Buffer.concat([Buffer.from('NTLMSSP\0'), Buffer.alloc(60, 1)])],
    ['points beyond its end', Buffer.concat([Buffer.from('NTLMSSP\0\x02\0\0\0'), Buffer.alloc(36, 0x7f)])],
  ])('refuses a challenge that %s', (_name, challenge) => {
    expect(authenticate({ account: ntlmAccount('me', 'pw'), challenge })).toBeUndefined();
  });

  it('computes no binding for an unreadable certificate', () => {
    expect(channelBinding(Buffer.from('no certificate'))).toBeUndefined();
    expect(channelBinding(Buffer.from('3080', 'hex'))).toBeUndefined();
  });
});
