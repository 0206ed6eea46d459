import type { InstanceRecord } from '@switchyard/model';
import { FIRST_SCHEMA } from './migrations';

type Process = Pick<InstanceRecord, 'service' | 'host' | 'pid' | 'schema'>;

/**
 * The processes that do not support a schema version, each as `services on host, process 17`. A process reports its version
 * in one of its records; processes of version 0.1.0 report none. Their api, auth and stream have no record at all.
 */
export function olderProcesses(instances: readonly Process[], schema: number): string[] {
  const processes = new Map<string, { services: Set<string>; schema: number }>();
  for (const { service, host, pid, schema: supported = FIRST_SCHEMA } of instances) {
    const place = `${host}, process ${pid}`;
    const process = processes.get(place) ?? { services: new Set(), schema: FIRST_SCHEMA };
    process.services.add(service);
    process.schema = Math.max(process.schema, supported);
    processes.set(place, process);
  }
  return [...processes]
    .filter(([, process]) => process.schema < schema)
    .map(([place, { services }]) => `${[...services].join(', ')} on ${place}`);
}
