import { legacy } from '../option';

/** `<section>.logging` of the reference names a Python logging file per service. */
export const loggingFile = legacy('Python logging files are not read; logging is set in [log]');
