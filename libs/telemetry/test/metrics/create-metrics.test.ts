import { captureDestination, createLogger, createMetrics, type Metrics } from '@switchyard/telemetry';

function debugLog() {
  const destination = captureDestination();
  const logger = createLogger({
    service: 'api',
    level: 'debug',
    format: 'json',
    mask: true,
    maskNames: [],
    destination,
  });
  return {
    logger,
    records: () => destination.lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

function measure(metrics: Metrics): void {
  metrics.counter('api.request.total');
  metrics.counter('action.{ref}.executions', 2, { ref: 'core.local' });
  metrics.timer('scheduler.handle_execution', 12.5);
  metrics.gauge('stream.connections', 3);
}

test('echo logs every measurement, with the labels in its name', () => {
  const { logger, records } = debugLog();
  measure(createMetrics({ driver: 'echo', prefix: 'east' }, logger));
  expect(records()).toMatchObject([
    { level: 'debug', type: 'counter', name: 'svc.east.api.request.total', by: 1 },
    { type: 'counter', name: 'svc.east.action.core.local.executions', by: 2 },
    { type: 'timer', name: 'svc.east.scheduler.handle_execution', durationMs: 12.5 },
    { type: 'gauge', name: 'svc.east.stream.connections', value: 3 },
  ]);
});

test('noop measures nothing', () => {
  const { logger, records } = debugLog();
  measure(createMetrics({ driver: 'noop', prefix: null }, logger));
  expect(records()).toEqual([]);
});

test('statsd, which is not there yet, is a warning and measures nothing', () => {
  const { logger, records } = debugLog();
  measure(createMetrics({ driver: 'statsd', prefix: null }, logger));
  expect(records()).toEqual([expect.objectContaining({ level: 'warn', message: expect.stringContaining('statsd') })]);
});
