import type { OptionEntry } from './option';
import { content, keyvalue, packs, rbac, system } from './options/content';
import { rulesengine, sensorcontainer, timersengine } from './options/events';
import {
  actionSensor,
  actionrunner,
  notifier,
  scheduler,
  sshRunner,
  systemUser,
  workflowEngine,
} from './options/executions';
import { api, auth, stream, webui } from './options/http';
import { limits } from './options/limits';
import { audit, defaultSection, log, metrics, opentelemetry } from './options/logging';
import { plugins } from './options/plugins';
import { python } from './options/python';
import { garbagecollector, instances, sweep } from './options/recovery';
import { database, messaging, storage } from './options/storage-and-messaging';
import { apiPecan, coordination, resultsTracker, schema, syslog } from './options/without-effect';

/**
 * Every option that a configuration file may contain, by section. Names, types and defaults follow StackStorm, except in
 * `storage`, `audit`, `limits`, `plugins`, `python`, `instances`, `sweep` and `opentelemetry`, which StackStorm does not
 * have.
 */
export const optionTable = {
  DEFAULT: defaultSection,
  system,
  storage,
  database,
  messaging,
  api,
  auth,
  stream,
  limits,
  scheduler,
  actionrunner,
  workflow_engine: workflowEngine,
  notifier,
  action_sensor: actionSensor,
  rulesengine,
  timersengine,
  sensorcontainer,
  garbagecollector,
  instances,
  sweep,
  content,
  packs,
  plugins,
  python,
  keyvalue,
  rbac,
  system_user: systemUser,
  ssh_runner: sshRunner,
  webui,
  log,
  audit,
  syslog,
  metrics,
  opentelemetry,
  coordination,
  results_tracker: resultsTracker,
  schema,
  api_pecan: apiPecan,
} as const satisfies Record<string, Record<string, OptionEntry>>;

/** The table without its literal types, for code that iterates over it. */
export const optionSections: Readonly<Record<string, Readonly<Record<string, OptionEntry>>>> = optionTable;
