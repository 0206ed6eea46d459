import { loggingFile } from './logging-file';

/** The former name of `timersengine`, whose options have aliases here. */
export const timer = { logging: loggingFile };
