export type { HealthReport, Service } from './service';
