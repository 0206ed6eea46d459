import type { ApiTransport } from '../transport/transport';
import { readableRecords, records, type PackContent, type ReadableRecords, type Records } from './records';

/** A policy for the executions of an action. */
export interface Policy extends PackContent {
  enabled: boolean;
  /** Reference of the action. */
  resource_ref: string;
  policy_type: string;
  parameters: Record<string, unknown>;
}

export interface PolicyType {
  id: string;
  ref: string;
  uid: string;
  name: string;
  resource_type: string;
  description?: string;
  enabled: boolean;
  /** A schema for each parameter. */
  parameters: Record<string, Record<string, unknown>>;
}

export type Policies = Records<Policy>;
export type PolicyTypes = ReadableRecords<PolicyType>;

export const createPolicies = (transport: ApiTransport): Policies => records(transport, ['policies']);
export const createPolicyTypes = (transport: ApiTransport): PolicyTypes => readableRecords(transport, ['policytypes']);
