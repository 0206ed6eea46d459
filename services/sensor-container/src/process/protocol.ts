import type { PythonInstallation } from '@switchyard/config';
import { isFault, isPlainObject, parseBoundedJson, type DataLimits } from '@switchyard/base';

/** A trigger as a sensor gets it. */
export interface SensorTrigger {
  readonly id: string;
  readonly ref: string;
  readonly uid: string;
  readonly name: string;
  readonly pack: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly description?: string;
}

/**
 * What the sensor process is to run. Sent over the channel rather than as arguments, because the configuration holds
 * secrets.
 */
export interface SensorStartMessage {
  readonly type: 'start';
  readonly pack: string;
  readonly class_name: string;
  readonly file_path: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly poll_interval?: number;
  readonly log_level: 'DEBUG' | 'INFO';
  /** For sensors in Python. */
  readonly installation: PythonInstallation;
}

/**
 * Messages from the container to a sensor process: one JSON document per line. `stop` accompanies SIGTERM, for processes
 * that miss the signal.
 */
export type ToSensor =
  | SensorStartMessage
  | { readonly type: 'trigger'; readonly change: TriggerChange; readonly trigger: SensorTrigger }
  | { readonly type: 'reply'; readonly id: number; readonly result: unknown }
  | { readonly type: 'reply'; readonly id: number; readonly error: string }
  | { readonly type: 'stop' };

export type TriggerChange = 'add' | 'update' | 'remove';

/** Messages from a sensor process to the container. */
export type FromSensor =
  | {
      readonly type: 'call';
      readonly id: number;
      readonly method: string;
      readonly parameters: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly error: string; readonly trace?: string | null }
  | { readonly type: 'log'; readonly level: string; readonly logger: string; readonly message: string };

/** A call whose parameters exceed a limit. */
export interface RefusedCall {
  readonly type: 'refused';
  readonly id: number;
  readonly error: string;
}

/** Nesting levels of a message around its content: the call, its parameters. */
const OWN_LEVELS = 4;
/** The start of a call, as both kinds of sensor processes write it. */
const CALL = /^\{"type": ?"call", ?"id": ?(\d+)/;

/** Parses a line from a sensor process, whatever it may contain. @returns undefined for an invalid message */
export function parseMessage(line: string, limits: DataLimits): FromSensor | RefusedCall | undefined {
  let message: unknown;
  try {
    message = parseBoundedJson(line, { ...limits, maxDepth: limits.maxDepth + OWN_LEVELS });
  } catch (error) {
    const id = CALL.exec(line)?.[1];
    return isFault(error) && id !== undefined ? { type: 'refused', id: Number(id), error: error.message } : undefined;
  }
  return isPlainObject(message) && isMessage(message) ? (message as unknown as FromSensor) : undefined;
}

function isMessage(message: Record<string, unknown>): boolean {
  const isText = (name: string) => typeof message[name] === 'string';
  switch (message['type']) {
    case 'call':
      return Number.isInteger(message['id']) && isText('method') && isPlainObject(message['parameters']);
    case 'ready':
      return true;
    case 'failed':
      return isText('error');
    case 'log':
      return isText('level') && isText('logger') && isText('message');
    default:
      return false;
  }
}
