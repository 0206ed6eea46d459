import { legacy } from '../option';

const noSyslog = legacy('log lines go to standard output or to the files of [log], which a syslog daemon can read');

export const syslog = { host: noSyslog, port: noSyslog, facility: noSyslog, protocol: noSyslog };
