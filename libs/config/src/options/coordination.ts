import { legacy } from '../option';

const lockServer = legacy('no lock server is needed: leases in the store coordinate processes');

export const coordination = {
  url: lockServer,
  lock_timeout: lockServer,
  service_registry: legacy('every process is always registered'),
};
