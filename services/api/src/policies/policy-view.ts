import type { PolicyRecord } from '@switchyard/model';

/** @param record may lack the fields of attributes that were not requested */
export const policyView = ({ _id, ...shown }: PolicyRecord): Record<string, unknown> => ({ id: _id, ...shown });
