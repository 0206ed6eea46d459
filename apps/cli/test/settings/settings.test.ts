import { parseSections, editSection } from '../../src/settings/config-file';
import { readSettings } from '../../src/settings/settings';

const read = (options: object, env: Record<string, string>, text: string) =>
  readSettings({ env, home: '/nowhere' }, options, { sections: parseSections(text), path: '/nowhere/config' });

const FILE = '[api]\nurl = http://file/v1/\n';

test.each([
  [{}, {}, '', 'http://127.0.0.1:9101/v1'],
  [{}, {}, FILE, 'http://file/v1'],
  [{}, { ST2_API_URL: 'http://st2/v1' }, FILE, 'http://st2/v1'],
  [{}, { ST2_API_URL: 'http://st2/v1', SVC_API_URL: 'http://svc/v1' }, FILE, 'http://svc/v1'],
  [{ apiUrl: 'http://line/v1' }, { SVC_API_URL: 'http://svc/v1' }, FILE, 'http://line/v1'],
  [{ url: 'http://h' }, {}, '', 'http://h:9101/v1'],
  [{}, { ST2_BASE_URL: 'https://h/' }, '[general]\napi_version = v2', 'https://h:9101/v2'],
])(
  'the command line takes precedence over the environment, and that over the file: %j %j %j',
  (options, env, text, url) => {
    expect(read(options, env, text).apiUrl).toBe(url);
  },
);

test.each([
  [undefined, { verifyTls: true, caFile: undefined }],
  ['false', { verifyTls: false, caFile: undefined }],
  ['TRUE', { verifyTls: true, caFile: undefined }],
  [__filename, { verifyTls: true, caFile: __filename }],
])('--cacert %s', (cacert, trust) => {
  expect(read(cacert === undefined ? {} : { cacert }, {}, '')).toMatchObject(trust);
});

test.each([
  ['[api]\nurl = ftp://x', /not a valid address/],
  ['[cli]\ntimezone = Moon/Base', /time zone "Moon\/Base"/],
  ['[credentials]\nbasic_auth = nocolon', /user:password/],
  ['[general]\ncacert = \/no\/such', /does not exist/],
])('rejects %j', (text, message) => {
  expect(() => read({}, {}, text)).toThrow(message);
});

test('reads values literally', () => {
  expect(parseSections('# c\n[Credentials]\nusername: me\npassword = a;b#c%d "e" = f\n')).toEqual({
    credentials: { username: 'me', password: 'a;b#c%d "e" = f' },
  });
});

test('an invalid line is reported with its number', () => {
  expect(() => parseSections('[a]\nb = 1\nwhat')).toThrow(/line 3/);
});

test.each([
  ['', '[credentials]\nusername = me\n'],
  ['# mine\n[api]\nurl = x\n', '# mine\n[api]\nurl = x\n\n[credentials]\nusername = me\n'],
  [
    '[credentials]\n# note\nusername = you\npassword = p\napi_key = k\n[api]\nurl = x\n',
    '[credentials]\nusername = me\n# note\napi_key = k\n[api]\nurl = x\n',
  ],
])('remembering a user in %j changes nothing else', (before, after) => {
  expect(editSection(before, 'credentials', { username: 'me', password: undefined })).toBe(after);
});
