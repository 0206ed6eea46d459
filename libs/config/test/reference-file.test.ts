import { join } from 'node:path';
import { loadConfig } from '@switchyard/config';

const load = (name: string) => loadConfig({ file: join(__dirname, 'files', name), environment: { HOME: '/home/ada' } });

test('loadConfig reads the file of the StackStorm packages and warns about options without effect only', () => {
  const { config, warnings } = load('package.conf');
  expect(config).toMatchObject({
    api: { port: 9101, allow_origin: ['http://127.0.0.1'], mask_secrets: true },
    auth: {
      logging: '/etc/st2/logging.auth.conf',
      backend: 'flat_file',
      backend_kwargs: { file_path: '/etc/st2/htpasswd' },
      use_ssl: false,
    },
    actionrunner: { virtualenv_opts: ['--always-copy'] },
    log: { mask_secrets: true },
    system: { base_path: '/opt/stackstorm' },
    messaging: { url: 'amqp://guest:p#ss;1@127.0.0.1:5672/' },
    timersengine: { local_timezone: 'America/Los_Angeles' },
  });
  expect(warnings).toHaveLength(4);
  expect(warnings.join('\n')).not.toContain('unknown');
});

test('loadConfig reads a file that sets every StackStorm option to its default', () => {
  const { config, warnings } = load('all-options.conf');
  expect(config).toMatchObject({
    action_sensor: { emit_when: ['succeeded', 'failed', 'timeout', 'canceled', 'abandoned'] },
    auth: { api_url: null, backend_kwargs: null },
    content: { index_url: ['https://index.stackstorm.org/v1/index.json'] },
    database: { host: '127.0.0.1', db_name: 'st2', password: null },
    garbagecollector: { purge_inquiries: false },
    sensorcontainer: { partition_provider: { name: 'default' } },
  });
  expect(warnings.join('\n')).not.toContain('unknown');
});
