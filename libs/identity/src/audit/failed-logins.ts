import type { AuditEntry } from '@switchyard/model';
import type { Metrics } from '@switchyard/telemetry';

/** Counts failed logins by user and by address. Clients choose both, so only the first ones get labels of their own. */
export function failedLogins(
  metrics: Pick<Metrics, 'count'> | undefined,
): (entry: Pick<AuditEntry, 'user' | 'address'>) => void {
  const userLabel = firstLabels(MOST_LABELS);
  const addressLabel = firstLabels(MOST_LABELS);
  return ({ user, address }) => {
    metrics?.count('login_failures_by_user', { user: userLabel(user === '' ? NOBODY : user) });
    metrics?.count('login_failures_by_address', { address: addressLabel(address) });
  };
}

const MOST_LABELS = 100;
const REST = '(other)';
/** Of single sign-on and of proxies, where a failed login has no name. */
const NOBODY = '(unknown)';

function firstLabels(most: number): (label: string) => string {
  const known = new Set<string>();
  return (label) => {
    if (known.size < most) known.add(label);
    return known.has(label) ? label : REST;
  };
}
