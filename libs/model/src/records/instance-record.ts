import type { Id, Micros } from '@switchyard/base';

/** A running service process, as the others see it. Alive while `beat` keeps growing. */
export interface InstanceRecord {
  _id: Id;
  service: string;
  host: string;
  pid: number;
  beat: number;
  started_at: Micros;
  /** Action runners: how many executions at once, and for which pools. Sensor containers: with whom they share sensors. */
  slots?: number;
  pools?: string[];
}
