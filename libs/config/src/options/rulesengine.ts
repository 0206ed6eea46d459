import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

export const rulesengine = { health_port: healthPort, logging: loggingFile };
