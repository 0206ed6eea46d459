import type { RuleDetail, RuleRow } from '../api/client';
import { keys } from '../api/queries';
import { EnabledSwitch } from '../shared/enabled-switch';
import { editablePart, replaceRule } from './rule-body';

/** Enables or disables a rule. */
export function RuleSwitch({ rule }: { rule: RuleRow | RuleDetail }) {
  const { ref = rule.id, enabled } = rule;
  return (
    <EnabledSwitch
      type="rule"
      name={ref}
      enabled={enabled}
      change={(next) => replaceRule(ref, { ...editablePart(rule), enabled: next })}
      changed={[keys.rules, keys.rule(ref)]}
    />
  );
}
