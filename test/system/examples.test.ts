import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Endpoint } from '../../libs/runners/test/winrm/endpoint';
import { PASSWORD, USER } from '../../libs/runners/test/winrm/ntlm-host';
import { actions, ACTIONS } from './examples/actions';
import { CANCELED, control, PAUSED, RERUN } from './examples/control';
import { flows, FLOWS } from './examples/flows';
import { servePages, type Pages } from './examples/pages';
import { remote, REMOTE } from './examples/remote';
import { MINUTES, openSite, type Site } from './examples/site';
import { windows, WINDOWS, type WindowsHost } from './examples/windows';
import { ROOT } from './system-process';

describe('the examples', () => {
  let site: Site;
  let pages: Pages;
  const siteOf = () => site;

  beforeAll(async () => {
    pages = await servePages();
    site = await openSite();
    await prepare(site, pages);
  }, 4 * MINUTES);

  afterAll(async () => {
    await site?.close();
    await pages?.close();
  }, 4 * MINUTES);

  flows(siteOf);
  actions(siteOf, () => pages.address);
  remote(siteOf);
  describe('on Windows', () => windows(siteOf, windowsHost));
  describe('that users control', () => control(siteOf));

  it('are all covered by these tests', () => {
    const files = readdirSync(join(ROOT, 'packs/examples/actions')).filter((file) => file.endsWith('.yaml'));
    const controlled = [...CANCELED, ...PAUSED].map(([name]) => name);
    const run = [...FLOWS, ...ACTIONS, ...REMOTE, ...WINDOWS, ...controlled, ...RERUN];
    expect([...new Set(run)].sort()).toEqual(files.map((file) => basename(file, '.yaml')).sort());
  });
});

/** The configuration of the pack, and the datastore items it uses. */
async function prepare({ api, directory }: Site, { address }: Pages): Promise<void> {
  mkdirSync(join(directory, 'configs'), { recursive: true });
  writeFileSync(
    join(directory, 'configs/examples.yaml'),
    'region: south\napi_key: nobody may see this\napi_secret: nobody may see this\n',
  );
  const words = [
    { name: 'examples_word', value: 'kept' },
    { name: 'examples_secret', value: 'open sesame', secret: true },
    { name: 'examples_weather_url', value: `${address}/weather` },
    { name: 'examples_repositories_url', value: `${address}/repositories` },
  ];
  const answers = [await api.call('POST', '/v1/packs/register', { packs: ['examples'], types: ['all'] })];
  for (const word of words) answers.push(await api.call('PUT', `/v1/keys/${word.name}`, word));
  expect(answers.map(({ status, body }) => [status, body.faultstring])).toEqual(answers.map(() => [200, undefined]));
}

/** A host that speaks WinRM and runs everything with a local shell. */
async function windowsHost(): Promise<WindowsHost> {
  const endpoint = await new Endpoint().open();
  const { port } = endpoint;
  return {
    access: { host: '127.0.0.1', port, scheme: 'http', username: USER, password: PASSWORD },
    close: () => endpoint.close(),
  };
}
