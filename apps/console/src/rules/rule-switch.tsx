import type { RuleDetail, RuleRow } from '../api/client';
import { keys } from '../api/queries';
import { EnabledSwitch } from '../shared/enabled-switch';
import { uidOfRef, useMay } from '../session/permissions';
import { editablePart, replaceRule } from './rule-body';

/** Enables or disables a rule. */
export function RuleSwitch({ rule }: { rule: RuleRow | RuleDetail }) {
  const { ref = rule.id, enabled } = rule;
  return (
    <EnabledSwitch
      name={ref}
      enabled={enabled}
      change={(next) => replaceRule(ref, { ...editablePart(rule), enabled: next })}
      changed={[keys.rules, keys.rule(ref)]}
  const client = useQueryClient();
  const { ref = rule.id, enabled = false } = rule;
  const may = useMay('rule_modify', uidOfRef('rule', ref));
  const change = useMutation({
    mutationFn: (next: boolean) => replaceRule(ref, { ...editablePart(rule), enabled: next }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.rules }),
        client.invalidateQueries({ queryKey: keys.rule(ref) }),
      ]),
  });
  return (
    <Switch
      aria-label={`${ref} is enabled`}
      disabled={!may}
      {...(!may && { title: 'Your roles do not permit you to change this rule (rule_modify).' })}
      checked={change.isPending ? change.variables : enabled}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
