import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@switchyard/config';
import { createLogger, loggerOptions } from '@switchyard/telemetry';

/** A file as StackStorm ships it, with its names of classes, formatters and handlers. */
const shipped = (directory: string, level = 'INFO') => `
[loggers]
keys=root

[handlers]
keys=consoleHandler, fileHandler, auditHandler

[formatters]
keys=simpleConsoleFormatter, verboseConsoleFormatter, gelfFormatter

[logger_root]
level=${level}
handlers=consoleHandler, fileHandler, auditHandler

[handler_consoleHandler]
class=StreamHandler
level=ERROR
formatter=simpleConsoleFormatter
args=(sys.stdout,)

[handler_fileHandler]
class=st2common.log.FormatNamedFileHandler
level=INFO
formatter=verboseConsoleFormatter
args=("${directory}/st2auth.{pid}.log",)

[handler_auditHandler]
class=st2common.log.FormatNamedFileHandler
level=AUDIT
formatter=gelfFormatter
args=("${directory}/st2auth.audit.log",)

[formatter_simpleConsoleFormatter]
class=st2common.logging.formatters.ConsoleLogFormatter
format=%(asctime)s %(levelname)s [-] %(message)s
datefmt=

[formatter_verboseConsoleFormatter]
class=st2common.logging.formatters.ConsoleLogFormatter
format=%(asctime)s %(thread)s %(levelname)s %(module)s [-] %(message)s

[formatter_gelfFormatter]
class=st2common.logging.formatters.GelfLogFormatter
format=%(message)s
`;

describe('the logging file of a service', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'logging-'));
    file = join(directory, 'logging.auth.conf');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const configOf = (more: object = {}) =>
    loadConfig({
      environment: {},
      overrides: { auth: { logging: file }, log: { file: join(directory, 'log') }, ...more },
    }).config;
  const logWith = async (text: string, service = 'auth', more: object = {}) => {
    writeFileSync(file, text);
    const logger = createLogger(loggerOptions(configOf(more), service));
    logger.debug('A detail.');
    logger.info('Serving.', { password: 'p' });
    logger.audit('Token issued.', { user: 'ada' });
    await logger.close();
  };

  test('sets the files of the log, and audit lines only go to the audit file', async () => {
    await logWith(shipped(directory));
    expect(read(`st2auth.${process.pid}.log`)).toMatch(/^\S+Z INFO \[auth\] Serving\. \(password=\*{8}\)\n$/);
    expect(JSON.parse(read('st2auth.audit.log'))).toMatchObject({ short_message: 'Token issued.', _user: 'ada' });
    expect(() => read('log')).toThrow('ENOENT');
  });

  test('the level of the root logger applies to all handlers', async () => {
    await logWith(shipped(directory, 'ERROR'));
    expect(read(`st2auth.${process.pid}.log`)).toBe('');
    expect(read('st2auth.audit.log')).toContain('Token issued.');
  });

  test('with auth.debug, all levels go to the file, audit lines too', async () => {
    await logWith(shipped(directory), 'auth', { auth: { logging: file, debug: true } });
    const messages = ['not masked', 'A detail.', 'Serving.', 'Token issued.'];
    const lines = read(`st2auth.${process.pid}.log`).trimEnd().split('\n');
    expect(lines).toEqual(messages.map((message) => expect.stringContaining(message)));
  });

  test('without an audit handler, audit lines go to the other handlers', async () => {
    await logWith(shipped(directory).replace(', auditHandler\n\n[handler_c', '\n\n[handler_c'));
    expect(read(`st2auth.${process.pid}.log`)).toMatch(/INFO .*\n.* AUDIT \[auth\] Token issued\. \(user=ada\)\n$/);
  });

  test.each([
    ['class=handlers.SysLogHandler', 'the class handlers.SysLogHandler is not supported'],
    ['level=LOUD', 'unknown level; expected one of NOTSET, DEBUG, INFO, WARN, WARNING, ERROR, CRITICAL, FATAL, AUDIT'],
  ])('a handler with %s is left out with a warning', async (line, reason) => {
    const [name] = line.split('=');
    await logWith(shipped(directory).replace(new RegExp(`(fileHandler\\][^[]*)${name}=.*`), `$1${line}`));
    expect(read('st2auth.audit.log')).toContain('Token issued.');
    expect(loggerOptions(configOf(), 'auth').warnings).toEqual([
      `auth.logging: handler fileHandler in ${file} is not used: ${reason}.`,
    ]);
  });

  test('a handler that rotates its file writes to it, with a warning that it does not rotate', async () => {
    const rotating = shipped(directory).replace('st2common.log.FormatNamedFileHandler', 'handlers.RotatingFileHandler');
    await logWith(rotating.replace('.{pid}.log",)', '.log", "a", 100000000, 5)'));
    expect(read('st2auth.log')).toContain('Serving.');
    expect(loggerOptions(configOf(), 'auth').warnings).toEqual([expect.stringContaining('does not rotate its file')]);
  });

  test.each([
    ['does not exist', undefined, 'auth', /auth\.logging: \S+ does not exist\. \[log\] sets the log\./],
    ['has no handlers', '[logger_root]\nlevel=INFO\n', 'auth', /auth\.logging: \S+ has no handler that can be used/],
    ['belongs to one of several services', shipped('/nowhere'), 'api+auth', /auth\.logging: not used, since this/],
  ])('[log] and a warning apply if the file %s', async (_, text, service, warning) => {
    if (text === undefined) createLogger(loggerOptions(configOf(), service));
    else await logWith(text, service);
    const { warnings } = loggerOptions(configOf(), service);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    if (text !== undefined) expect(read('log')).toContain('WARN');
    if (text !== undefined) expect(read('log')).toContain('Serving.');
  });

  test('a file that is not in the format stops the start, and names the line', () => {
    writeFileSync(file, '[loggers]\nkeys\n');
    expect(() => loggerOptions(configOf(), 'auth')).toThrow(/line 2.*expected \[section\] or name = value/);
  });

  test('the file of another service is not read', async () => {
    await logWith('nothing that can be read', 'api');
    expect(read('log')).toContain('[api] Serving.');
  });
});
