import type { Id } from '@switchyard/base';

export interface SensorTypeRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  /** `file:///…/sensors/x.py`. */
  artifact_uri: string;
  /** Module path and class. */
  entry_point: string;
  class_name: string;
  /** References of the trigger types that it dispatches. */
  trigger_types: string[];
  /** Seconds; of a polling sensor. */
  poll_interval?: number;
  metadata_file: string;
}
