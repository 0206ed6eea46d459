import { missingForPam, temporaryAccounts } from '@switchyard/testkit/system-account';
import { login } from './api-caller';
import { startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
const PASSWORD = 'a password of this machine';

const missing = missingForPam();
if (missing !== undefined && (process.env['SVC_TEST_SERVERS'] === 'required' || process.env['CI'] === 'true')) {
  throw new Error(`${missing} is needed for these tests.`);
}
if (missing !== undefined) console.warn(`Skipped: a system with PAM, because this machine lacks ${missing}.`);
const described = missing === undefined ? describe : describe.skip;

described('a system whose users are those of the machine', () => {
  const temporary = temporaryAccounts();
  let system: SystemProcess;
  let user: string;

  beforeAll(async () => {
    user = temporary.account(PASSWORD);
    const { name: service } = temporary.service('auth required pam_unix.so nodelay', 'account required pam_unix.so');
    const config = `[auth]\nbackend = pam\nbackend_kwargs = {"service": "${service}"}`;
    system = await startSystem({ users: false, config });
  }, 3 * MINUTE);

  afterAll(async () => {
    await system?.stop();
    temporary.remove();
  }, MINUTE);

  it('lets them log in and run commands', async () => {
    const caller = await login(system.api, system.auth, user, PASSWORD);
    expect(await caller.call('GET', '/v1/user')).toMatchObject({ status: 200, body: { username: user } });
    expect(await caller.call('POST', '/v1/executions', { action: 'core.noop' })).toMatchObject({
      status: 201,
      body: { context: { user } },
    });
    caller.close();
  });

  it('refuses a wrong password, without storing it', async () => {
    await expect(login(system.api, system.auth, user, `${PASSWORD}s`)).rejects.toThrow('login failed: 401');
    expect(system.output()).not.toContain(PASSWORD);
  });
});
