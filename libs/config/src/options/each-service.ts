import { intOption, legacy } from '../option';

/** For services without an HTTP interface of their own. */
export const healthPort = intOption(0, 'Port of the health endpoints of this service; 0 turns them off.', {
  minimum: 0,
});

/** In StackStorm, `logging` names a Python logging file for each service. */
export const loggingFile = legacy('Python logging files are not read; logging is set in [log]');
