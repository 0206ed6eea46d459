import { t } from '@lingui/core/macro';
import { parse, stringify } from 'yaml';
import { answerTo, apiClient, type PolicyDetail, type PolicyRow } from '../api/client';

/** The editable members of a policy, in the form of its file. `enabled` has its own switch. */
export function editablePolicy({
  name,
  pack,
  description,
  resource_ref,
  policy_type,
  parameters,
}: PolicyDetail | PolicyRow): Record<string, unknown> {
  return { name, pack, ...(description ? { description } : {}), resource_ref, policy_type, parameters };
}

export const yamlOfPolicy = (policy: PolicyDetail): string => stringify(editablePolicy(policy), { lineWidth: 120 });

/** Reads the text of the editor. @throws Error that says where the text is wrong */
export function policyOfYaml(text: string): Record<string, unknown> {
  const value: unknown = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(t`Expected a policy with name, resource_ref, policy_type and parameters.`);
  }
  return value as Record<string, unknown>;
}

export const replacePolicy = (ref: string, body: Record<string, unknown>) =>
  answerTo(
    apiClient.PUT('/api/v1/policies/{ref_or_id}', { params: { path: { ref_or_id: ref } }, body: body as never }),
  );
