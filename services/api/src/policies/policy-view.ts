import type { PolicyRecord } from '@switchyard/model';
import { attributeNames, policyAnswer } from '@switchyard/model/resources';

/** Attributes are stored under their own names. */
export const POLICY_ATTRIBUTES = attributeNames(policyAnswer);

/** @param record may lack the fields of attributes that were not requested */
export const policyView = ({ _id, ...shown }: PolicyRecord): Record<string, unknown> => ({ id: _id, ...shown });
