import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RuleDetail, RuleRow } from '../api/client';
import { keys } from '../api/queries';
import { editablePart, replaceRule } from './rule-body';

/** Enables or disables a rule. */
export function RuleSwitch({ rule }: { rule: RuleRow | RuleDetail }) {
  const client = useQueryClient();
  const { ref = rule.id, enabled = false } = rule;
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
      checked={change.isPending ? change.variables : enabled}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
