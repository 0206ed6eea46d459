import type { PythonInstallation } from '@switchyard/config';
import type { RenderedConfig } from '@switchyard/content/configs/pack-configs';
import { newId, SECOND_MS, type Clock, type DataLimits } from '@switchyard/base';
import type { SensorTypeRecord, TriggerRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { answerCall, type CallDeps } from './calls/answer-call';
import { KnownSecrets, secretsOfConfig } from './known-secrets';
import { logAllowance } from './log-allowance';
import { planLaunch, type LaunchSettings } from './process/launch';
import type { FromSensor } from './process/protocol';
import { startSensorProcess, type ProcessSettings, type SensorEnd } from './process/sensor-process';
import type { SensorLogWriter } from './sensor-log';
import { issueSensorToken, type TokenDeps } from './service-token';
import { KnownTriggers } from './trigger-view';

export interface StartDeps {
  readonly store: Pick<Store, 'triggers'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly calls: CallDeps;
  readonly token: TokenDeps;
  readonly launch: LaunchSettings;
  /** Including the version. */
  readonly apiUrl: string;
  readonly limits: DataLimits;
  readonly installation: PythonInstallation;
  packConfig(sensor: SensorTypeRecord): Promise<RenderedConfig>;
}

/** One run of a sensor. */
export interface SensorRun {
  readonly identity: ReturnType<typeof startSensorProcess>['identity'];
  /** Command line, for the announcement of the start. */
  readonly command: string;
  readonly ended: Promise<SensorEnd>;
  syncTriggers(triggers: readonly TriggerRecord[]): void;
  stop(graceMs?: number): void;
}

const GRACE_MS = 5 * SECOND_MS;

export interface SensorRunOptions {
  /** Value of the environment variable that marks the descendants of the process. */
  readonly mark: string;
  onReady(): void;
  /** Rejects when this container no longer owns the sensor. */
  confirmOwner(): Promise<void>;
  /** Gets what the sensor writes, with known secrets masked. */
  readonly log: Pick<SensorLogWriter, 'add'>;
}

/**
 * Collects what a sensor needs, and starts its process.
 * @throws Fault for what is missing on this machine, or an error of the store
 */
export async function startSensor(
  deps: StartDeps,
  sensor: SensorTypeRecord,
  { mark, onReady, confirmOwner, log }: SensorRunOptions,
): Promise<SensorRun> {
  const launch = planLaunch(sensor, deps.launch);
  const config = await deps.packConfig(sensor);
  const triggers = await triggersOfSensor(deps.store, sensor);
  const token = await issueSensorToken(deps.token, sensor);
  const runId = newId();
  const logger = deps.logger.child({ sensor: sensor.ref });
  const secrets = new KnownSecrets(...secretsOfConfig(config), token.text);
  let over = false;
  const running = startSensorProcess({
    launch,
    mark,
    onReady,
    graceMs: GRACE_MS,
    limits: deps.limits,
    environment: { ...deps.launch.environment, ...accessVariables(deps.apiUrl, token.text) },
    start: {
      type: 'start',
      pack: sensor.pack,
      class_name: sensor.class_name,
      file_path: launch.file,
      config: config.values,
      ...(sensor.poll_interval === undefined ? {} : { poll_interval: sensor.poll_interval }),
      log_level: logger.isEnabled('debug') ? 'DEBUG' : 'INFO',
      installation: deps.installation,
    },
    async onCall({ id, method, parameters }) {
      const origin = { sensor: sensor.ref, requestKey: `sensor:${runId}:${id}`, gaveUp: () => over, confirmOwner };
      const answer = await answerCall(deps.calls, method, parameters, origin);
      if (method === 'get_value' && parameters['decrypt'] === true) secrets.add(answer);
      if (method === 'set_value' && parameters['encrypt'] === true) secrets.add(parameters['value']);
      return answer;
    },
    ...lineWriters({ clock: deps.clock, logger, log, secrets }),
  });
  const known = new KnownTriggers();
  known.update(triggers, running.tell);
  return {
    identity: running.identity,
    command: [launch.program, ...launch.args].join(' '),
    ended: running.ended.then(({ reason, ...end }) => {
      over = true;
      token.release();
      return { ...end, ...(reason === undefined ? {} : { reason: secrets.mask(reason) }) };
    }),
    syncTriggers: (now) => known.update(now, running.tell),
    stop: running.stop,
  };
}

interface LineDestinations {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly log: Pick<SensorLogWriter, 'add'>;
  readonly secrets: Pick<KnownSecrets, 'mask'>;
}

/** Writes what a sensor prints and logs to the log of the container and to that of the sensor. */
function lineWriters({ clock, logger, log, secrets }: LineDestinations): Pick<ProcessSettings, 'onLog' | 'onPrint'> {
  const warn = (message: string, fields?: Record<string, unknown>) => {
    logger.warn(message, fields);
    log.add({ source: 'container', text: fields ? `${message} ${JSON.stringify(fields)}` : message });
  };
  const allowance = logAllowance(
    clock,
    () => warn('The sensor logs too much; dropping its lines for the rest of this minute.'),
    (lines) => warn('Dropped log lines of a sensor.', { lines }),
  );
  return {
    onLog(line) {
      if (!allowance.take(line.message.length)) return;
      writeLog(logger, line);
      log.add({ source: 'logger', level: line.level, text: secrets.mask(line.message) });
    },
    onPrint(stream, line) {
      if (!allowance.take(line.length)) return;
      logger.info(line, { stream });
      log.add({ source: stream, text: secrets.mask(line) });
    },
  };
}

/** Triggers of a sensor's types. */
export const triggersOfSensor = ({ triggers }: Pick<Store, 'triggers'>, { trigger_types }: SensorTypeRecord) =>
  trigger_types.length === 0
    ? Promise.resolve([])
    : triggers.list({ filter: { type: isOneOf(trigger_types) }, sort: { _id: 1 } });

/** Sensors that call the API themselves read these variables, with the prefixes of this product and of the
 * reference. */
const accessVariables = (apiUrl: string, token: string): Record<string, string> => ({
  SVC_API_URL: apiUrl,
  SVC_AUTH_TOKEN: token,
  ST2_API_URL: apiUrl,
  ST2_AUTH_TOKEN: token,
});

const LEVELS: Readonly<Record<string, 'audit' | 'error' | 'warn' | 'info' | 'debug'>> = {
  AUDIT: 'audit',
  CRITICAL: 'error',
  ERROR: 'error',
  WARNING: 'warn',
  DEBUG: 'debug',
};

function writeLog(logger: Logger, { level, logger: name, message }: Extract<FromSensor, { type: 'log' }>): void {
  const key = Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined;
  logger[key ?? 'info'](message, { logger: name });
}
