import { loadConfig, paths } from '@switchyard/config';
import { runnerRegistry } from '@switchyard/runners';
import { makeCertificate, startProxy, startServer, type Certificate } from '../http-request/http-servers';
import { PASSWORD, USER } from './ntlm-host';
import { access, closeAll, endpoint, keep, run } from './winrm-fixture';

afterEach(closeAll);

let certificate: Certificate;
beforeAll(() => void (certificate = makeCertificate()));
afterAll(() => certificate.remove());

const cmd = 'echo in';
const isIn = { status: 'succeeded', result: { stdout: 'in' } };
const trusting = () => ({ settings: { environment: { REQUESTS_CA_BUNDLE: certificate.file } } });

describe('login to a Windows host', () => {
  it.each([
    ['ntlm, encrypted', 'http', 'ntlm', false],
    ['basic, where that is allowed', 'http', 'basic', true],
    ['plaintext, where that is allowed', 'http', 'plaintext', true],
    ['ntlm over TLS', 'https', 'ntlm', false],
    ['basic over TLS', 'https', 'basic', false],
    ['ssl', 'https', 'ssl', false],
  ])('works with %s', async (_name, scheme, transport, allowsUnencrypted) => {
    const host = await endpoint({ allowsUnencrypted, ...(scheme === 'https' && { certificate }) });
    expect(await run('winrm-cmd', { ...access(host, scheme), cmd, transport }, trusting())).toMatchObject(isIn);
  });

  it.each([`WIN\\${USER}`, `${USER}@win.example`])('accepts the user name %s', async (username) => {
    const host = await endpoint();
    expect(await run('winrm-cmd', { ...access(host), cmd, username })).toMatchObject(isIn);
  });

  it('is repeated on a new connection', async () => {
    const host = await endpoint({ closesAfter: 'Create' });
    expect(await run('winrm-cmd', { ...access(host), cmd })).toMatchObject(isIn);
  });

  it.each(['http', 'https'])('fails with a wrong password without revealing it, with ntlm over %s', async (scheme) => {
    const host = await endpoint(scheme === 'https' ? { certificate } : {});
    const parameters = { ...access(host, scheme), cmd, password: 'sesame' };
    const { status, result } = await run('winrm-cmd', parameters, trusting());
    expect({ status, result }).toEqual({
      status: 'failed',
      result: {
        failed: true,
        succeeded: false,
        error: `The host 127.0.0.1:${host.port} rejected the user "${USER}" (transport ntlm). It offers: Negotiate, Basic.`,
      },
    });
    expect(host.messages).toEqual([]);
  });

  it('fails with a wrong password with basic', async () => {
    const host = await endpoint({ allowsUnencrypted: true });
    const { result } = await run('winrm-cmd', { ...access(host), cmd, password: 'sesame', transport: 'basic' });
    expect(result['error']).toMatch(/rejected the user "Administrator" \(transport basic\)/);
  });

  it('hides command and password from eavesdroppers with ntlm', async () => {
    const host = await endpoint();
    expect(await run('winrm-cmd', { ...access(host), cmd: 'echo sesame' })).toMatchObject({ status: 'succeeded' });
    expect(host.heard()).not.toMatch(new RegExp(`sesame|${PASSWORD}|CommandLine`));
  });

  it('fails when someone else responds in place of the host', async () => {
    const host = await endpoint({
      instead: (_action, response) => !!response.writeHead(200).end('<Envelope><Body/></Envelope>'),
    });
    const { result } = await run('winrm-cmd', { ...access(host), cmd });
    expect(result['error']).toMatch(/sent a response that is not encrypted or was tampered with/);
  });

  it.each([
    ['certificate', 'https', /"certificate" of WinRM cannot be used: .*client certificate/],
    ['kerberos', 'https', /"kerberos" of WinRM cannot be used: .*These work: basic, ntlm, plaintext, ssl\.$/],
    ['credssp', 'https', /"credssp" of WinRM cannot be used/],
    ['telepathy', 'https', /"telepathy" of WinRM cannot be used: there is no such transport/],
    ['constructor', 'https', /there is no such transport/],
    ['ssl', 'http', /"ssl" sends the password over an encrypted connection only/],
  ])('rejects %s over %s', async (transport, scheme, error) => {
    const host = await endpoint();
    const { status, result } = await run('winrm-cmd', { ...access(host, scheme), cmd, transport });
    expect(status).toBe('failed');
    expect(result['error']).toMatch(error);
  });
});

describe('connecting to a Windows host', () => {
  it.each([
    ['a path', { host: 'a/b' }, /^"a\/b" is not a valid host name or address/],
    ['a user', { host: 'me@b' }, /^"me@b" is not a valid host name/],
    ['nothing', { host: '' }, /^The parameter "host" is needed/],
    ['no user', { username: '' }, /^The parameter "username" is needed/],
    ['no password', { password: null }, /^The parameter "password" is needed/],
    ['another scheme', { scheme: 'ftp' }, /^The scheme must be http or https, got "ftp"/],
    ['an invalid port', { port: 70_000 }, /^70000 is not a valid port/],
    ['a closed port', { port: 1 }, /^The request to http:\/\/127.0.0.1:1 failed: connection refused/],
    ['a closed port on an IPv6 address', { host: '::1', port: 1 }, /^The request to http:\/\/\[::1\]:1 failed/],
    ['the port of plain connections', { host: '127.0.0.9', port: 5985, scheme: 'https' }, /http:\/\/127.0.0.9:5985/],
  ])('reports the reason for a failure with %s', async (_name, parameters, error) => {
    const all = { ...access({ port: 1 }), cmd, ...parameters };
    const { status, result } = await run('winrm-cmd', all);
    expect(status).toBe('failed');
    expect(result['error']).toMatch(error);
  });
});

describe('the certificate of a Windows host', () => {
  it('must be trusted', async () => {
    const host = await endpoint({ certificate });
    const { status, result } = await run('winrm-cmd', { ...access(host, 'https'), cmd });
    expect(status).toBe('failed');
    expect(result['error']).toMatch(/^The request to https:\S+ failed: self-signed certificate/);
    expect(host.messages).toEqual([]);
  });

  it('is not checked when verification is off', async () => {
    const host = await endpoint({ certificate });
    const parameters = { ...access(host, 'https'), cmd, verify_ssl_cert: false };
    expect(await run('winrm-cmd', parameters)).toMatchObject(isIn);
  });
});

describe('a proxy from the environment', () => {
  it.each(['http', 'https'])('forwards %s connections', async (scheme) => {
    const host = await endpoint(scheme === 'https' ? { certificate } : {});
    const proxy = keep(await startProxy());
    const environment = { all_proxy: proxy.url.replace('//', '//me:word@') };
    const parameters = { ...access(host, scheme), cmd, verify_ssl_cert: false };
    expect(await run('winrm-cmd', parameters, { settings: { environment } })).toMatchObject(isIn);
    expect(proxy.received).toMatchObject([{ method: 'CONNECT', url: `127.0.0.1:${host.port}` }]);
  });

  it('fails the run when it refuses', async () => {
    const proxy = keep(await startServer(() => undefined));
    const environment = { all_proxy: proxy.url.replace('//', '//me:word@') };
    const { status, result } = await run('winrm-cmd', { ...access({ port: 1 }), cmd }, { settings: { environment } });
    expect(status).toBe('failed');
    expect(result['error']).toMatch(/^The proxy http:\/\/127.0.0.1:\d+ refused the connection/);
  });
});

it('the WinRM runners have the documented parameters', () => {
  const { config } = loadConfig({ environment: {} });
  const registry = runnerRegistry({ config, paths: paths(config) });
  const text = { type: 'string' };
  const shared = {
    host: { ...text, required: true },
    username: { ...text, required: true },
    password: { ...text, required: true, secret: true },
    cwd: text,
    env: { type: 'object' },
    kwarg_op: { ...text, default: '-' },
    port: { type: 'integer', required: false, default: 5986 },
    scheme: { ...text, required: false, default: 'https' },
    transport: {
      ...text,
      enum: ['basic', 'certificate', 'credssp', 'kerberos', 'ntlm', 'plaintext', 'ssl'],
      required: false,
      default: 'ntlm',
    },
    timeout: { type: 'integer', default: 60 },
    verify_ssl_cert: { type: 'boolean', default: true },
  };
  const bare = (name: string) =>
    Object.fromEntries(
      Object.entries(registry.get(name)!.manifest.runner_parameters).map(([key, { description, ...rest }]) => {
        expect(description).toEqual(expect.any(String));
        return [key, rest];
      }),
    );
  expect(bare('winrm-cmd')).toEqual({ cmd: text, ...shared });
  expect(bare('winrm-ps-cmd')).toEqual({ cmd: text, ...shared });
  expect(bare('winrm-ps-script')).toEqual(shared);
});
