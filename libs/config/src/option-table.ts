import type { OptionEntry } from './option';
import { actionSensor } from './options/action-sensor';
import { actionrunner } from './options/actionrunner';
import { api } from './options/api';
import { apiPecan } from './options/api-pecan';
import { auth } from './options/auth';
import { content } from './options/content';
import { coordination } from './options/coordination';
import { database } from './options/database';
import { defaultSection } from './options/default-section';
import { garbagecollector } from './options/garbagecollector';
import { instances } from './options/instances';
import { keyvalue } from './options/keyvalue';
import { limits } from './options/limits';
import { log } from './options/log';
import { messaging } from './options/messaging';
import { metrics } from './options/metrics';
import { notifier } from './options/notifier';
import { packs } from './options/packs';
import { rbac } from './options/rbac';
import { resultsTracker } from './options/results-tracker';
import { rulesengine } from './options/rulesengine';
import { scheduler } from './options/scheduler';
import { schema } from './options/schema';
import { sensorcontainer } from './options/sensorcontainer';
import { sshRunner } from './options/ssh-runner';
import { storage } from './options/storage';
import { stream } from './options/stream';
import { sweep } from './options/sweep';
import { syslog } from './options/syslog';
import { system } from './options/system';
import { systemUser } from './options/system-user';
import { timer } from './options/timer';
import { timersengine } from './options/timersengine';
import { webui } from './options/webui';
import { workflowEngine } from './options/workflow-engine';

/**
 * Every option that a configuration file may hold, by section. The names, types and defaults of the reference's
 * sections follow section 4 of its operations sheet; `storage`, `limits`, `instances` and `sweep` are this product's own.
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
  timer,
  sensorcontainer,
  garbagecollector,
  instances,
  sweep,
  content,
  packs,
  keyvalue,
  rbac,
  system_user: systemUser,
  ssh_runner: sshRunner,
  webui,
  log,
  syslog,
  metrics,
  coordination,
  results_tracker: resultsTracker,
  schema,
  api_pecan: apiPecan,
} as const satisfies Record<string, Record<string, OptionEntry>>;

/** The table without its literal types, for code that walks over it. */
export const optionSections: Readonly<Record<string, Readonly<Record<string, OptionEntry>>>> = optionTable;
