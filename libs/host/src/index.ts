export { createService, dropAll, stopAll, type ServiceWork } from './create-service';
export { createCandidate, type ElectionCandidate } from './election/candidate';
export { createElection, createLeadership, type Election, type LeadershipOptions } from './election/election';
export { createHealthServer, type HealthServer, type HealthServerOptions } from './health/health-server';
export { createHealthListeners, type WithHealthPort } from './health/health-listeners';
export { createInstanceLease, type InstanceLease, type LeaseOptions } from './instances/instance-lease';
export { observeInstances, type InstanceObserver } from './instances/observe-instances';
export { createProcessRecord, KEY_ROTATOR, PROCESS } from './instances/process-record';
export { watchInstances, type InstanceWatch } from './instances/watch-instances';
export { retrying, type RetryOptions } from './retrying';
export {
  runServices,
  runUntilStopped,
  type HostProcess,
  type RunOutcome,
  type RunServicesOptions,
} from './run-services';
export type { HealthReport, Service } from './service';
export type { ServerInUse } from './silent-servers';
export { createTask, type Task } from './task';
export { openPlatform, serversOf, type Platform } from './platform';
export { platformChecks, type ConfigCheck } from './platform-checks';
