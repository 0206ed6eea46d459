import { legacy } from '../option';

const noSyslog = legacy('log lines go to standard output or to the files of [log], which a syslog daemon can read');

export const syslog = { host: noSyslog, port: noSyslog, facility: noSyslog, protocol: noSyslog };

const lockServer = legacy('no lock server is needed: processes coordinate through leases in the store');

export const coordination = {
  url: lockServer,
  lock_timeout: lockServer,
  service_registry: legacy('every process is always registered'),
};

const removed = legacy('the service that it configures no longer exists');

export const resultsTracker = { thread_pool_size: removed, query_interval: removed, logging: removed };

const fixed = legacy('the dialect of JSON schemas is fixed');

export const schema = { version: fixed, draft: fixed };

const pecan = legacy('the web framework that it configures is not used');

export const apiPecan = {
  root: pecan,
  static_root: pecan,
  template_path: pecan,
  modules: pecan,
  debug: pecan,
  auth_enable: pecan,
  errors: pecan,
};
