import { t } from '@lingui/core/macro';
import { parse, stringify } from 'yaml';
import { answerTo, apiClient, type RuleDetail, type RuleRow } from '../api/client';

type RuleBodyOf = RuleDetail | RuleRow;

/** The editable members of a rule, in the form of its file. `enabled` has its own switch. */
export function editablePart(rule: RuleBodyOf): Record<string, unknown> {
  const { name, pack, description, type, trigger, criteria, action, tags, correlation } = rule;
  return {
    name,
    pack,
    ...(description ? { description } : {}),
    ...(type && type.ref !== 'standard' ? { type } : {}),
    trigger: typeof trigger === 'string' ? { type: trigger } : { type: trigger?.type, parameters: trigger?.parameters },
    criteria,
    action: { ref: action?.ref, parameters: action?.parameters },
    ...(tags && tags.length > 0 ? { tags } : {}),
    ...(correlation ? { correlation } : {}),
  };
}

export const yamlOfRule = (rule: RuleBodyOf): string => yamlOfMembers(editablePart(rule));

export const yamlOfMembers = (rule: Readonly<Record<string, unknown>>): string => stringify(rule, { lineWidth: 120 });

/** Reads the text of the editor. @throws Error that says where the text is wrong */
export function ruleOfYaml(text: string): Record<string, unknown> {
  const value: unknown = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(t`Expected a rule with name, trigger and action.`);
  }
  const missing = ['name', 'trigger', 'action'].filter((name) => !(name in value));
  if (missing.length > 0) throw new Error(t`Missing members: ${missing.join(', ')}.`);
  return value as Record<string, unknown>;
}

/** Replaces a rule. Where the body has the mask of a secret, the server keeps the secret. */
export const replaceRule = (ref: string, body: Record<string, unknown>) =>
  answerTo(apiClient.PUT('/api/v1/rules/{ref_or_id}', { params: { path: { ref_or_id: ref } }, body: body as never }));
