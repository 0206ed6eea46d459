import type { Policy, PolicyType } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { readableRecords, records, type ReadableRecords, type Records } from './records';

export type Policies = Records<Policy>;
export type PolicyTypes = ReadableRecords<PolicyType>;

export const createPolicies = (transport: ApiTransport): Policies => records(transport, ['policies']);
export const createPolicyTypes = (transport: ApiTransport): PolicyTypes => readableRecords(transport, ['policytypes']);
