import type { Transport } from '../transport/transport';
import { records, type PackContent, type Records } from './records';

export interface TriggerType extends PackContent {
  payload_schema: Record<string, unknown>;
  parameters_schema: Record<string, unknown>;
  tags: { name: string; value: string }[];
}

export type TriggerTypes = Records<TriggerType>;

export const createTriggerTypes = (transport: Transport): TriggerTypes => records(transport, ['triggertypes']);
