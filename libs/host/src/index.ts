export { createCandidate, createElection, type Candidate, type Election } from './election';
export { createHealthServer, type HealthServer, type HealthServerOptions } from './health/health-server';
export { withHealthServer } from './health/with-health-server';
export { createInstanceLease, type InstanceLease, type LeaseOptions } from './instances/instance-lease';
export { observeInstances, type InstanceObserver } from './instances/observe-instances';
export { runServices, type HostProcess, type RunOptions } from './run-services';
export type { HealthReport, Service } from './service';
export { createTask, type Task } from './task';
export { openPlatform, type Platform } from './platform';
