import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import { bool, dict, int, str } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

export const sensorcontainer = {
  sensor_node_name: str('sensornode1', 'Name of this node among the partitions of sensors.'),
  partition_provider: dict(
    { name: 'default' },
    'How sensors are divided among nodes: default (containers share them by themselves), kvstore, file or hash.',
  ),
  sensor_ref: str(null, 'Reference of the one sensor to run; unset: all that fall to this node.'),
  single_sensor_mode: bool(false, 'Run one sensor and end with it.'),
  restart_delay_ms: int(
    SECOND_MS,
    'Pause before a sensor that has failed is started again, milliseconds; it doubles.',
    {
      minimum: 1,
    },
  ),
  restart_delay_max_ms: int(MINUTE_MS, 'The longest such pause, milliseconds.', { minimum: 1 }),
  health_port: healthPort,
  logging: loggingFile,
};
