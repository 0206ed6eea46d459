import type { Transport } from '../transport/transport';
import { records, type Records } from './records';

export interface TriggerType {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  payload_schema: Record<string, unknown>;
  parameters_schema: Record<string, unknown>;
  tags: { name: string; value: string }[];
  metadata_file?: string;
}

export type TriggerTypes = Records<TriggerType>;

export const createTriggerTypes = (transport: Transport): TriggerTypes => records(transport, ['triggertypes']);
