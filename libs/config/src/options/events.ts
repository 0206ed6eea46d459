import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import { bool, choice, dict, floatOption, intOption, str } from '../option';
import { healthPort, loggingFile } from './each-service';

export const rulesengine = { health_port: healthPort, logging: loggingFile() };

export const timersengine = {
  enable: bool(true, 'Run timers.', { aliases: ['timer.enable'] }),
  // The default in StackStorm is America/Los_Angeles.
  local_timezone: str('UTC', 'Time zone of cron and date timers that do not name one.', {
    aliases: ['timer.local_timezone'],
  }),
  misfire: choice(
    ['fire_all', 'fire_once', 'skip'],
    'fire_all',
    'How to handle ticks that a timer missed: fire all of them, fire once, or skip them.',
  ),
  misfire_grace: floatOption(60, 'Age after which a missed tick no longer fires, in seconds.', { minimum: 0 }),
  health_port: healthPort,
  logging: loggingFile({ aliases: ['timer.logging'] }),
};

export const sensorcontainer = {
  sensor_node_name: str('sensornode1', 'Name of this node, used to assign sensors to nodes.'),
  partition_provider: dict(
    { name: 'default' },
    'How sensors are assigned to nodes: default (the containers share them automatically), kvstore, file or hash.',
  ),
  sensor_ref: str(null, 'Reference of the only sensor to run. Unset: all sensors assigned to this node.'),
  single_sensor_mode: bool(false, 'Run only the sensor in sensor_ref, and exit when it exits.'),
  restart_delay_ms: intOption(
    SECOND_MS,
    'First pause before restarting a failed sensor, in milliseconds. Each further pause is twice as long.',
    {
      minimum: 1,
    },
  ),
  restart_delay_max_ms: intOption(MINUTE_MS, 'Longest pause before restarting a failed sensor, in milliseconds.', {
    minimum: 1,
  }),
  health_port: healthPort,
  logging: loggingFile(),
};
