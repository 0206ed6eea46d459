import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { networkPath } from '../faults/network-path';
import { endsWithUs } from './ends-with-us';
import { namesOnGivenServers, type ServersOfTest } from './servers-of-test';
import { freePorts, ROOT } from './system-process';

const PROGRAM = join(ROOT, 'services/timers/dist/main.js');

if (process.env['SVC_TEST_MONGODB_URL'] !== undefined)
  describe('a service whose store falls silent while it starts', () => {
    let servers: ServersOfTest;
    let directory: string;

    beforeAll(async () => {
      servers = (await namesOnGivenServers())!;
      directory = mkdtempSync(join(tmpdir(), 'svc-lost-store-'));
    });
    afterAll(async () => {
      rmSync(directory, { recursive: true, force: true });
      await servers.remove();
    });

    // The store is opened with its indexes, then the process is registered.
    it.each(['createIndexes', 'instances'])(
      'starts again, in the same process, if that is at the command %s',
      async (command) => {
        const path = await networkPath(servers.mongoUrl);
        path.hushFrom(command);
        const { child, log, health } = await startTimers(path.url, command);
        try {
          await eventually(() => log().includes('starting again'), log);
          path.speak();
          await eventually(async () => (await fetch(`${health}/readyz`).catch(() => undefined))?.ok === true, log);
          child.kill('SIGTERM');
          const [code] = (await once(child, 'exit')) as [number | null];
          expect(code).toBe(0);
        } finally {
          child.kill('SIGKILL');
          await path.close();
        }
      },
    );

    async function startTimers(mongoUrl: string, file: string) {
      const [port] = await freePorts(1);
      const { amqpUrl, name } = servers;
      const config = join(directory, `${file}.conf`);
      const sections = [
        `[system]\nbase_path = ${directory}`,
        `[storage]\ndriver = mongodb`,
        `[database]\nhost = ${mongoUrl}\ndb_name = ${name}`,
        `[messaging]\ndriver = rabbitmq\nurl = ${amqpUrl}\nprefix = ${name}`,
        `[timersengine]\nhealth_port = ${port}`,
      ];
      writeFileSync(config, sections.join('\n'));
      const output = openSync(join(directory, `${file}.log`), 'a');
      const child = spawn(process.execPath, [PROGRAM, '--config-file', config], { stdio: ['ignore', output, output] });
      closeSync(output);
      endsWithUs(child);
      const log = () => readFileSync(join(directory, `${file}.log`), 'utf8');
      return { child, log, health: `http://127.0.0.1:${port}` };
    }
  });
else it.skip('needs the address of a server with the MongoDB protocol in SVC_TEST_MONGODB_URL', () => undefined);
