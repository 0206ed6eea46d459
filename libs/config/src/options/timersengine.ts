import { bool, choice, float, str } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

export const timersengine = {
  enable: bool(true, 'Run timers.', { aliases: ['timer.enable'] }),
  // The reference's default is a zone of its makers' home; a neutral one surprises nobody.
  local_timezone: str('UTC', 'Time zone of cron and date timers without one.', { aliases: ['timer.local_timezone'] }),
  misfire: choice(
    ['fire_all', 'fire_once', 'skip'],
    'fire_all',
    'What becomes of the ticks of a timer that nobody could fire in time: each is made up for, one stands for all, or none.',
  ),
  misfire_grace: float(60, 'Seconds after which a tick is too old to be made up for.', { minimum: 0 }),
  health_port: healthPort,
  logging: loggingFile,
};
