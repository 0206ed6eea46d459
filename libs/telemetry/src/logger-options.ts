import { SECOND_MS } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { LoggerOptions } from './create-logger';
import { fileDestination } from './destinations/file-destination';

/** The auth service, and the process with all services. */
const WITH_AUTH = ['auth', 'switchyard'];
/** Between the names of services that share a process. */
const JOINT = '+';

/** The logger options of a service, as configured in `[log]`. Opens the configured files. */
export function loggerOptions({ DEFAULT, system, log, auth }: Config, service: string): LoggerOptions {
  const place = (path: string) => fileDestination(filledPath(path, service));
  const hasAuth = service.split(JOINT).some((name) => WITH_AUTH.includes(name));
  return {
    service,
    level: DEFAULT.debug || system.debug || (auth.debug && hasAuth) ? 'debug' : log.level,
    format: log.format,
    mask: log.mask_secrets,
    maskNames: log.mask_secrets_blacklist,
    ...(log.file === null ? {} : { destination: place(log.file) }),
    ...(log.audit_file === null ? {} : { auditDestination: place(log.audit_file) }),
  };
}

/** Fills in the placeholders of StackStorm's log file names, and `{service}`. */
function filledPath(path: string, service: string): string {
  const timestamp = String(Math.floor(Date.now() / SECOND_MS));
  const values: Record<string, string> = { service, pid: String(process.pid), timestamp, ts: timestamp };
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
