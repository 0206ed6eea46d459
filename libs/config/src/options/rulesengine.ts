import { loggingFile } from './logging-file';

export const rulesengine = { logging: loggingFile };
