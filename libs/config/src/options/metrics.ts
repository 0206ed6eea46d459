import { choice, float, int, str } from '../option';

export const metrics = {
  driver: choice(
    ['noop', 'statsd', 'echo'],
    'noop',
    'Where measurements go: nowhere, to statsd, or to the log at level debug.',
  ),
  host: str('127.0.0.1', 'Host of statsd.'),
  port: int(8125, 'Port of statsd.', { minimum: 1 }),
  prefix: str(null, 'Inserted into the name of every measurement.'),
  sample_rate: float(1, 'Share of the measurements that are sent.', { minimum: 0, maximum: 1 }),
};
