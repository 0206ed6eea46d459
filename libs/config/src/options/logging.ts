import { bool, choice, dict, floatOption, intOption, legacy, list, path, str } from '../option';

const developerAid = legacy('it configures developer tools of StackStorm');

export const defaultSection = {
  debug: bool(false, 'Log at level debug. Secrets in debug lines are not masked.', { reloadable: true }),
  profile: bool(false, 'Log each operation on the store with its filter, at level info.'),
  use_debugger: developerAid,
  enable_profiler: developerAid,
  enable_eventlet_blocking_detection: developerAid,
  eventlet_blocking_detection_resolution: developerAid,
};

export const log = {
  level: choice(
    ['debug', 'info', 'warn', 'error'],
    'info',
    'Minimum level of log lines. Secrets in debug lines are not masked.',
    { reloadable: true },
  ),
  format: choice(['console', 'json', 'gelf'], 'console', 'Format of log lines.'),
  file: path(
    null,
    'File for log lines; {service}, {pid} and {timestamp} in its name are replaced. Unset: standard output.',
  ),
  audit_file: path(null, 'Additional file for audit lines only, as JSON, with the same placeholders. Unset: none.'),
  mask_secrets: bool(true, 'Replace secret values in log lines with asterisks.', { reloadable: true }),
  mask_secrets_blacklist: list([], 'Additional names of fields whose values are secret.', { reloadable: true }),
  excludes: legacy('its values are names of Python modules'),
  redirect_stderr: legacy('the standard error output is not captured'),
};

export const audit = {
  enable: bool(true, 'Record changes, logins, refusals and shown secrets in the store.'),
};

export const metrics = {
  driver: choice(
    ['noop', 'statsd', 'echo'],
    'noop',
    'Where measurements are sent: nowhere (noop), to statsd, or to the log at level debug (echo).',
  ),
  host: str('127.0.0.1', 'Host name of the statsd server.'),
  port: intOption(8125, 'Port of the statsd server.', { minimum: 1 }),
  prefix: str(null, 'Added to the name of every measurement, after "svc.".'),
  sample_rate: floatOption(1, 'Fraction of the measurements that are sent.', { minimum: 0, maximum: 1 }),
};

export const opentelemetry = {
  enable: bool(false, 'Record spans of OpenTelemetry, export them, and pass on the W3C trace context.'),
  endpoint: str(
    'http://127.0.0.1:4318/v1/traces',
    'Complete address to which spans are sent, with OTLP over HTTP as JSON.',
  ),
  headers: dict({}, 'Headers of these requests, such as name:value,name:value.', { secret: true }),
  service_name: str(
    null,
    'Attribute service.name of all spans. Unset: switchyard, followed by the names of the services that run in the process alone.',
  ),
  sample_ratio: floatOption(
    1,
    'Fraction of the requests and events that are recorded, unless the caller has decided: its decision applies.',
    { minimum: 0, maximum: 1 },
  ),
  queue_size: intOption(2048, 'Spans that may wait for their export. Further ones are dropped.', {
    minimum: 1,
    maximum: 100_000,
  }),
};
