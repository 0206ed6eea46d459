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
  { path: '/', label: 'Overview', Icon: IconChartBar, key: 'o', permission: 'execution_list' },
  { path: '/history', label: 'History', Icon: IconHistory, key: 'h', permission: 'execution_list' },
  { path: '/actions', label: 'Actions', Icon: IconPlayerPlay, key: 'a', permission: 'action_list' },
  { path: '/rules', label: 'Rules', Icon: IconArrowsSplit2, key: 'r', permission: 'rule_list' },
  { path: '/events', label: 'Events', Icon: IconBolt, key: 'e', permission: 'trigger_list' },
  { path: '/triggers', label: 'Triggers', Icon: IconTarget, key: 't', permission: 'trigger_list' },
  { path: '/webhooks', label: 'Webhooks', Icon: IconWebhook, key: 'w', permission: 'webhook_list' },
  { path: '/timers', label: 'Timers', Icon: IconAlarm, key: 'm', permission: 'timer_list' },
  { path: '/sensors', label: 'Sensors', Icon: IconAntenna, key: 'n', permission: 'sensor_type_list' },
  { path: '/policies', label: 'Policies', Icon: IconAdjustments, key: 'c', permission: 'policy_list' },
  { path: '/aliases', label: 'Aliases', Icon: IconMessage2, key: 'x', permission: 'action_alias_list' },
  { path: '/inquiries', label: 'Inquiries', Icon: IconMessageQuestion, key: 'i', permission: 'inquiry_list' },
  { path: '/packs', label: 'Packs', Icon: IconPackage, key: 'p', permission: 'pack_list' },
  { path: '/datastore', label: 'Datastore', Icon: IconDatabase, key: 'd' },
  { path: '/apikeys', label: 'API keys', Icon: IconKey, key: 'y', permission: 'api_key_list' },
  { path: '/roles', label: 'Users and roles', Icon: IconUsersGroup, key: 'l', permission: 'administrators' },
  { path: '/audit', label: 'Audit', Icon: IconListSearch, key: 'u', permission: 'audit_list' },
  { path: '/sessions', label: 'My sessions', Icon: IconDevices, key: 'z' },
  { path: '/status', label: 'Status', Icon: IconActivity, key: 's', permission: 'administrators' },
];

/** The pages that show something to the current user. */
export function useSections(): readonly Section[] {
  const may = usePermissionCheck();
  return useMemo(() => SECTIONS.filter(({ permission }) => permission === undefined || may(permission)), [may]);
}
