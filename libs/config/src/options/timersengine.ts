import { bool, str } from '../option';
import { loggingFile } from './logging-file';

export const timersengine = {
  enable: bool(true, 'Run timers.', { aliases: ['timer.enable'] }),
  // The reference's default is a zone of its makers' home; a neutral one surprises nobody.
  local_timezone: str('UTC', 'Time zone of cron timers without one.', { aliases: ['timer.local_timezone'] }),
  logging: loggingFile,
};
