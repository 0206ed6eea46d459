import type { PolicyRecord } from '@switchyard/model';
import { Type } from '@sinclair/typebox';

export const policySchema = Type.Object({ id: Type.String(), ref: Type.String() });

/** Attributes are stored under their own names. */
export const POLICY_ATTRIBUTES: readonly string[] = [
  'id',
  'ref',
  'uid',
  'name',
  'pack',
  'description',
  'enabled',
  'resource_ref',
  'policy_type',
  'parameters',
  'metadata_file',
];

/** @param record may lack the fields of attributes that nobody wants */
export const policyView = ({ _id, ...shown }: PolicyRecord): Record<string, unknown> => ({ id: _id, ...shown });
