import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@switchyard/config';
import type { HostProcess } from '@switchyard/host';
import { createLogger, loggerOptions, type RootLogger } from '@switchyard/telemetry';
import { reloadOnSignals } from '../src/reload';

const directory = mkdtempSync(join(tmpdir(), 'reload-'));
const file = join(directory, 'svc.conf');
const path = join(directory, 'api.log');
let logger: RootLogger;
afterEach(async () => {
  await logger.close();
  rmSync(path, { force: true });
});
afterAll(() => rmSync(directory, { recursive: true }));

const configure = (text: string) => writeFileSync(file, `[log]\nfile = ${path}\nformat = json\n${text}`);

/** A process whose signals the test sends. */
function started(text: string, hasTerminal = false) {
  configure(text);
  const sources = { file, environment: {} };
  const { config } = loadConfig(sources);
  logger = createLogger(loggerOptions(config, 'api'));
  const listeners = new Map<string, (error?: unknown) => void>();
  const process: Pick<HostProcess, 'on'> = {
    on: (...[event, listener]) => listeners.set(event, listener),
  };
  reloadOnSignals({ process, logger, service: 'api', sources, loaded: config, config, hasTerminal });
  const lines = (from = path) => {
    logger.reopen();
    return readFileSync(from, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { send: (signal: string) => listeners.get(signal)?.(), lines, heard: () => [...listeners.keys()] };
}

describe('SIGHUP', () => {
  it('applies levels and masking, also to loggers that exist already', () => {
    const { send, lines } = started('level = warn\n');
    const child = logger.child({ part: 'x' });
    child.info('before');
    configure('level = info\nmask_secrets_blacklist = colour\n');
    send('SIGHUP');
    child.info('after', { colour: 'red' });
    expect(lines()).toMatchObject([
      {
        message: 'Reloaded the configuration.',
        applied: ['log.level', 'log.mask_secrets_blacklist'],
        restart_needed: [],
      },
      { message: 'after', part: 'x', colour: '********' },
    ]);
    expect(logger.isEnabled('info')).toBe(true);
    configure('level = error\n[system]\ndebug = true\n');
    send('SIGHUP');
    expect([logger.isEnabled('debug'), lines().at(-2)]).toEqual([
      true,
      expect.objectContaining({ message: expect.stringContaining('not masked') }),
    ]);
  });

  it('names in one line what needs a restart, until the restart', () => {
    const { send, lines } = started('');
    configure('level = warn\n[api]\nport = 1\nhots = x\n[auth]\nport = 2\n');
    send('SIGHUP');
    send('SIGHUP');
    const needed = { level: 'warn', restart_needed: ['api.port', 'auth.port'] };
    expect(lines()).toMatchObject([
      { level: 'warn', message: expect.stringContaining('unknown option api.hots') },
      { ...needed, applied: ['log.level'] },
      { level: 'warn', message: expect.stringContaining('unknown option api.hots') },
      { ...needed, applied: [] },
    ]);
  });

  it('changes nothing if the configuration is invalid', () => {
    const { send, lines } = started('');
    configure('level = debug\n[api]\nport = many\n');
    send('SIGHUP');
    expect(lines()).toMatchObject([
      { level: 'error', message: 'The configuration was not reloaded.', error: { code: 'config.invalid' } },
    ]);
    expect(logger.isEnabled('debug')).toBe(false);
  });

  it('applies levels of a logging file, and keeps the log if its files or formats have changed', () => {
    const logging = join(directory, 'logging.conf');
    const write = (level: string, file: string) =>
      writeFileSync(
        logging,
        `[logger_root]\nlevel = ${level}\nhandlers = a\n[handler_a]\nclass = FileHandler\nformatter = a\nargs = ("${file}",)\n[formatter_a]\nclass = JsonFormatter\n`,
      );
    write('ERROR', path);
    const { send, lines } = started(`[api]\nlogging = ${logging}\n`);
    write('INFO', path);
    send('SIGHUP');
    write('DEBUG', `${path}.other`);
    send('SIGHUP');
    expect(lines()).toMatchObject([
      { level: 'info', message: 'Reloaded the configuration.' },
      { level: 'warn', message: expect.stringContaining('The log is unchanged until a restart') },
    ]);
    expect(logger.isEnabled('debug')).toBe(false);
  });
});

it('SIGUSR1 continues in a new file after a rotation', () => {
  const { send, lines } = started('');
  logger.info('old');
  renameSync(path, `${path}.1`);
  send('SIGUSR1');
  logger.info('new');
  expect([lines(`${path}.1`), lines()]).toMatchObject([[{ message: 'old' }], [{ message: 'new' }]]);
});

it('leaves SIGHUP alone in a terminal, which sends it when it is closed', () => {
  expect(started('', true).heard()).toEqual(['SIGUSR1']);
});
