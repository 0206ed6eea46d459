export { createService, dropAll, stopAll, type ServiceWork } from './create-service';
export {
  createCandidate,
  createElection,
  createOffice,
  type Election,
  type ElectionCandidate,
  type OfficeOptions,
} from './election';
export { createHealthServer, type HealthServer, type HealthServerOptions } from './health/health-server';
export { withHealthServer } from './health/with-health-server';
export { createInstanceLease, type InstanceLease, type LeaseOptions } from './instances/instance-lease';
export { observeInstances, type InstanceObserver } from './instances/observe-instances';
export { retrying, type RetryOptions } from './retrying';
export { runServices, type HostProcess, type RunServicesOptions } from './run-services';
export type { HealthReport, Service } from './service';
export { createTask, type Task } from './task';
export { openPlatform, type Platform } from './platform';
