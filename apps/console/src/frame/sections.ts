import { t } from '@lingui/core/macro';
import {
  IconAdjustments,
  IconAlarm,
  IconAntenna,
  IconArrowsSplit2,
  IconActivity,
  IconBolt,
  IconChartBar,
  IconDatabase,
  IconDevices,
  IconHistory,
  IconKey,
  IconListSearch,
  IconMessage2,
  IconMessageQuestion,
  IconPackage,
  IconPlayerPlay,
  IconTarget,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { usePermissionCheck } from '../session/permissions';

export interface Section {
  readonly path: string;
  readonly label: string;
  readonly Icon: Icon;
  /** The second key of its shortcut, after `g`. */
  readonly key: string;
  /** What the page needs to show anything; undefined: everybody may see it. */
  readonly permission?: string;
}

/** The pages of the navigation, in its order. */
const SECTIONS: readonly Section[] = [
  { path: '/', label: t`Overview`, Icon: IconChartBar, key: 'o', permission: 'execution_list' },
  { path: '/history', label: t`History`, Icon: IconHistory, key: 'h', permission: 'execution_list' },
  { path: '/actions', label: t`Actions`, Icon: IconPlayerPlay, key: 'a', permission: 'action_list' },
  { path: '/rules', label: t`Rules`, Icon: IconArrowsSplit2, key: 'r', permission: 'rule_list' },
  { path: '/events', label: t`Events`, Icon: IconBolt, key: 'e', permission: 'trigger_list' },
  { path: '/triggers', label: t`Triggers`, Icon: IconTarget, key: 't', permission: 'trigger_list' },
  { path: '/webhooks', label: t`Webhooks`, Icon: IconWebhook, key: 'w', permission: 'webhook_list' },
  { path: '/timers', label: t`Timers`, Icon: IconAlarm, key: 'm', permission: 'timer_list' },
  { path: '/sensors', label: t`Sensors`, Icon: IconAntenna, key: 'n', permission: 'sensor_type_list' },
  { path: '/policies', label: t`Policies`, Icon: IconAdjustments, key: 'c', permission: 'policy_list' },
  { path: '/aliases', label: t`Aliases`, Icon: IconMessage2, key: 'x', permission: 'action_alias_list' },
  { path: '/inquiries', label: t`Inquiries`, Icon: IconMessageQuestion, key: 'i', permission: 'inquiry_list' },
  { path: '/packs', label: t`Packs`, Icon: IconPackage, key: 'p', permission: 'pack_list' },
  { path: '/datastore', label: t`Datastore`, Icon: IconDatabase, key: 'd' },
  { path: '/apikeys', label: t`API keys`, Icon: IconKey, key: 'y', permission: 'api_key_list' },
  { path: '/roles', label: t`Users and roles`, Icon: IconUsersGroup, key: 'l', permission: 'administrators' },
  { path: '/audit', label: t`Audit`, Icon: IconListSearch, key: 'u', permission: 'audit_list' },
  { path: '/sessions', label: t`My sessions`, Icon: IconDevices, key: 'z' },
  { path: '/status', label: t`Status`, Icon: IconActivity, key: 's', permission: 'administrators' },
];

/** The pages that show something to the current user. */
export function useSections(): readonly Section[] {
  const may = usePermissionCheck();
  return useMemo(() => SECTIONS.filter(({ permission }) => permission === undefined || may(permission)), [may]);
}
