import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '@switchyard/identity';
import { madeAuthService } from './made-auth-service';

const directory = mkdtempSync(join(tmpdir(), 'auth-'));
const passwords = join(directory, 'htpasswd');

const setUp = () =>
  madeAuthService(
    { backend_kwargs: JSON.stringify({ file_path: passwords }) },
    { api: { allowed_hosts: 'automation.lan' } },
  ).service;

describe('a login', () => {
  const service = setUp();

  beforeAll(async () => {
    const hashes = { svcadmin: 'Ch@ngeMe', ada: 'a password of her own' };
    const lines = Object.entries(hashes).map(async ([user, password]) => `${user}:${await hashPassword(password)}\n`);
    writeFileSync(passwords, (await Promise.all(lines)).join(''));
    await service.start();
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  async function login(auth: string, headers: Record<string, string>): Promise<number | undefined> {
    const { port } = service.address();
    const sent = request({ port, method: 'POST', path: '/v1/tokens', auth, headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  }

  it.each([
    ['svcadmin:Ch@ngeMe', { host: 'localhost:9101' }, 201],
    ['svcadmin:Ch@ngeMe', { host: 'automation.lan' }, 201],
    ['svcadmin:Ch@ngeMe', { host: 'evil.example' }, 403],
    ['svcadmin:Ch@ngeMe', { host: 'localhost', origin: 'http://evil.example' }, 403],
    ['svcadmin:wrong', { host: 'evil.example' }, 401],
    ['ada:a password of her own', { host: 'evil.example' }, 201],
  ])('of %s with %p is answered with %i', async (auth, headers, status) => {
    expect(await login(auth, headers)).toBe(status);
  });
});
