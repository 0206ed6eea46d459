// Runs one sensor in JavaScript for the sensor container: see `process/protocol.ts`. Exits with 0 when the sensor is
// done, with 143 after a request to stop, and with 1 after any failure.
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { SensorStartMessage, ToSensor, TriggerChange } from '../process/protocol';
import { openLink } from './container-link';
import type { NodeSensor, SensorClass, SensorService } from './contract';
import { createSensorService } from './sensor-service';

const STOPPED = 143;
const DEFAULT_POLL_SECONDS = 5;
const SECOND_MS = 1000;

const handlers: Readonly<Record<TriggerChange, 'addTrigger' | 'updateTrigger' | 'removeTrigger'>> = {
  add: 'addTrigger',
  update: 'updateTrigger',
  remove: 'removeTrigger',
};

let sensor: NodeSensor | undefined;
let leaving = false;
let triggers: Promise<void> = Promise.resolve();
let loaded: (sensor: NodeSensor) => void;
const ready = new Promise<NodeSensor>((resolve) => (loaded = resolve));
const link = openLink(onMessage, () => void leave(STOPPED));

function onMessage(message: Exclude<ToSensor, { type: 'reply' }>): void {
  if (message.type === 'start') work(message).then(() => leave(0), fail);
  else if (message.type === 'stop') void leave(STOPPED);
  else triggers = triggers.then(async () => (await ready)[handlers[message.change]]?.(message.trigger)).catch(complain);
}

async function work(start: SensorStartMessage): Promise<void> {
  sensor = await loadSensor(start.file_path, start.class_name, createSensorService(link, start), start.config);
  loaded(sensor);
  await sensor.setup?.();
  link.send({ type: 'ready' });
  if (sensor.run) return sensor.run();
  for (;;) {
    await sensor.poll?.();
    await delay((start.poll_interval ?? DEFAULT_POLL_SECONDS) * SECOND_MS);
  }
}

async function leave(code: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  let end = code;
  try {
    await sensor?.cleanup?.();
  } catch (error) {
    report(error);
    end ||= 1;
  }
  await link.flush();
  process.exit(end);
}

function fail(error: unknown): void {
  report(error);
  void leave(1);
}

function report(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  link.send({ type: 'failed', error: message, trace: stack ?? null });
}

/** A trigger that cannot be handled must not end the process. */
const complain = (error: unknown) =>
  link.send({
    type: 'log',
    level: 'ERROR',
    logger: 'svc.sensor',
    message: `Failed to handle a trigger: ${String(error)}`,
  });

process.on('SIGTERM', () => void leave(STOPPED));
process.on('SIGINT', () => undefined);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

/** @throws Error that describes the problem with the file */
async function loadSensor(
  file: string,
  className: string,
  service: SensorService,
  config: Readonly<Record<string, unknown>>,
): Promise<NodeSensor> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const exported = module[className] ?? (module['default'] as Record<string, unknown> | undefined)?.[className];
  if (typeof exported !== 'function') throw new Error(`"${file}" exports no class "${className}".`);
  const sensor = new (exported as SensorClass)(service, config);
  if (typeof sensor.run !== 'function' && typeof sensor.poll !== 'function')
    throw new Error(`The class "${className}" in "${file}" has neither "run" nor "poll".`);
  return sensor;
}
