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

interface Section {
  readonly path: string;
  readonly label: string;
  readonly Icon: Icon;
  /** The second key of its shortcut, after `g`. */
  readonly key: string;
}

/** The pages of the navigation, in its order. */
export const SECTIONS: readonly Section[] = [
  { path: '/', label: 'Overview', Icon: IconChartBar, key: 'o' },
  { path: '/history', label: 'History', Icon: IconHistory, key: 'h' },
  { path: '/actions', label: 'Actions', Icon: IconPlayerPlay, key: 'a' },
  { path: '/rules', label: 'Rules', Icon: IconArrowsSplit2, key: 'r' },
  { path: '/events', label: 'Events', Icon: IconBolt, key: 'e' },
  { path: '/triggers', label: 'Triggers', Icon: IconTarget, key: 't' },
  { path: '/webhooks', label: 'Webhooks', Icon: IconWebhook, key: 'w' },
  { path: '/timers', label: 'Timers', Icon: IconAlarm, key: 'm' },
  { path: '/sensors', label: 'Sensors', Icon: IconAntenna, key: 'n' },
  { path: '/policies', label: 'Policies', Icon: IconAdjustments, key: 'c' },
  { path: '/aliases', label: 'Aliases', Icon: IconMessage2, key: 'x' },
  { path: '/inquiries', label: 'Inquiries', Icon: IconMessageQuestion, key: 'i' },
  { path: '/packs', label: 'Packs', Icon: IconPackage, key: 'p' },
  { path: '/datastore', label: 'Datastore', Icon: IconDatabase, key: 'd' },
  { path: '/apikeys', label: 'API keys', Icon: IconKey, key: 'y' },
  { path: '/roles', label: 'Users and roles', Icon: IconUsersGroup, key: 'l' },
  { path: '/audit', label: 'Audit', Icon: IconListSearch, key: 'u' },
  { path: '/sessions', label: 'My sessions', Icon: IconDevices, key: 'z' },
  { path: '/status', label: 'Status', Icon: IconActivity, key: 's' },
];
