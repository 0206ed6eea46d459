import type { PolicyDetail, PolicyRow } from '../api/client';
import { EnabledSwitch } from '../shared/enabled-switch';
import { editablePolicy, replacePolicy } from './policy-body';
import { POLICIES } from './policy-queries';

/** Enables or disables a policy. */
export function PolicySwitch({ policy }: { policy: PolicyRow | PolicyDetail }) {
  const { ref = policy.id, enabled } = policy;
  return (
    <EnabledSwitch
      type="policy"
      name={ref}
      enabled={enabled}
      change={(next) => replacePolicy(ref, { ...editablePolicy(policy), enabled: next })}
      changed={[POLICIES]}
    />
  );
}
