import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

export const notifier = { health_port: healthPort, logging: loggingFile };
