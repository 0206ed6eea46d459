import { captureDestination, createLogger, type LoggerOptions, type LogLevel } from '@switchyard/telemetry';

function logTo({ level = 'info', ...options }: Partial<LoggerOptions> & { level?: LogLevel } = {}) {
  const destination = captureDestination();
  const auditDestination = captureDestination();
  const logger = createLogger({
    ...{ service: 'api', mask: true, maskNames: [] },
    outputs: [
      { level, format: 'json', destination },
      { level: 'audit', format: 'json', destination: auditDestination },
    ],
    ...options,
  });
  const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    logger,
    records: () => parsed(destination.lines),
    audited: () => parsed(auditDestination.lines),
    destination,
  };
}

describe('createLogger', () => {
  test('writes a line with its level, service, message and fields', () => {
    const { logger, records } = logTo();
    logger.info('Serving.', { port: 9101 });
    expect(records()).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        level: 'info',
        service: 'api',
        message: 'Serving.',
        port: 9101,
      },
    ]);
  });

  test.each([
    ['error', ['audit', 'error']],
    ['warn', ['audit', 'error', 'warn']],
    ['info', ['audit', 'error', 'warn', 'info']],
    ['debug', ['warn', 'audit', 'error', 'warn', 'info', 'debug']],
  ] as const)('at level %s writes %j', (level, written) => {
    const { logger, records } = logTo({ level });
    for (const each of ['audit', 'error', 'warn', 'info', 'debug'] as const) logger[each]('x');
    expect(records().map((record) => record['level'])).toEqual(written);
    expect(logger.isEnabled('debug')).toBe(level === 'debug');
  });

  test('also writes audit lines, and only those, to the audit destination', () => {
    const { logger, records, audited } = logTo({ level: 'error' });
    logger.audit('Token created.', { user: 'ada' });
    logger.error('x');
    expect(audited()).toEqual([expect.objectContaining({ level: 'audit', message: 'Token created.', user: 'ada' })]);
    expect(records()).toHaveLength(2);
  });

  test('adds the fields of a child to its lines and to those of its children', () => {
    const { logger, records } = logTo();
    logger.child({ execution: 'e1', step: 1 }).child({ step: 2 }).info('x', { more: true });
    expect(records()[0]).toMatchObject({ execution: 'e1', step: 2, more: true });
    logger.info('y');
    expect(records()[1]).not.toHaveProperty('execution');
  });

  test('keeps fields that have the name of a standard member', () => {
    const { logger, records } = logTo();
    logger.info('x', { level: 3, message: 'inner' });
    expect(records()[0]).toMatchObject({ level: 'info', message: 'x', _level: 3, _message: 'inner' });
  });
});

describe('masking', () => {
  const fields = { user: 'ada', config: [{ password: 'p', deep: { my_pin: '1' } }], error: { token: 't' } };
  const masked = {
    user: 'ada',
    config: [{ password: '********', deep: { my_pin: '********' } }],
    error: { token: '********' },
  };

  test('replaces the values of secret names at any depth, in normal and in audit lines', () => {
    const { logger, records, audited } = logTo({ maskNames: ['my_pin'] });
    logger.info('x', fields);
    logger.child(fields).audit('y');
    expect(records()).toEqual([expect.objectContaining(masked), expect.objectContaining(masked)]);
    expect(audited()).toEqual([expect.objectContaining(masked)]);
    expect(fields.config[0]?.password).toBe('p');
  });

  test('also applies to members of class instances and maps', () => {
    class Credentials {
      password = 'p';
    }
    const { logger, records } = logTo();
    logger.info('x', { given: new Credentials(), map: new Map([['token', 't']]) });
    expect(records()[0]).toMatchObject({ given: { password: '********' }, map: { token: '********' } });
  });

  test('does not apply to debug lines, and the first line is a warning about this', () => {
    const { logger, records } = logTo({ level: 'debug', maskNames: ['my_pin'] });
    logger.debug('x', fields);
    logger.info('y', fields);
    expect(records()).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('not masked') }),
      expect.objectContaining(fields),
      expect.objectContaining(masked),
    ]);
  });

  test('can be turned off', () => {
    const { logger, records } = logTo({ mask: false });
    logger.info('x', fields);
    expect(records()[0]).toMatchObject(fields);
  });
});

describe('errors in fields', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'EPIPE' });

  test('are written as message, code and cause', () => {
    const { logger, records } = logTo();
    logger.error('Failed.', { error });
    expect(records()[0]?.['error']).toEqual({ message: 'outer', code: 'EPIPE', cause: { message: 'inner' } });
  });

  test('include a stack if the log is at level debug', () => {
    const { logger, records } = logTo({ level: 'debug' });
    logger.error('Failed.', { error });
    expect(records()[1]?.['error']).toMatchObject({ stack: expect.stringContaining('create-logger.test') });
  });
});

test('a line is written even if JSON cannot represent its fields', () => {
  const { logger, records } = logTo();
  const circle: Record<string, unknown> = { big: 10n, bytes: Buffer.from('abc'), not: Number.NaN, nothing: undefined };
  circle['self'] = circle;
  logger.info('x', { circle, at: new Date(0), url: new URL('http://h/'), call: () => 1 });
  expect(records()[0]).toMatchObject({
    circle: { big: '10', bytes: '[3 bytes]', not: 'NaN', self: '[circular]' },
    at: '1970-01-01T00:00:00.000Z',
    url: 'http://h/',
    call: '[function]',
  });
});

test('a logger without outputs prints nothing anywhere', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const { logger } = logTo({ outputs: [] });
  logger.audit('Not printed.');
  await new Promise(setImmediate);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
  await logger.close();
});
