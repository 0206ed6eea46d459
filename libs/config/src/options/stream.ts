import { int, legacy, str } from '../option';
import { loggingFile } from './logging-file';

export const stream = {
  host: str('127.0.0.1', 'Address to listen on.'),
  port: int(9102, 'Port to listen on; 0 for any free one.', { minimum: 0 }),
  heartbeat: int(25, 'Seconds between two blank lines that keep a connection open.', { minimum: 1 }),
  debug: legacy('the log level is set by the ungrouped option debug'),
  logging: loggingFile,
};
