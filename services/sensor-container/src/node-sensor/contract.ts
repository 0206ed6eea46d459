import type { SensorTrigger } from '../process/protocol';

/**
 * The interface to the system for sensors in JavaScript or TypeScript. Calls reject when the system refuses them; a
 * refused event is only logged.
 */
export interface SensorService {
  readonly logger: SensorLogger;
  /**
   * Reports an event. Once it resolves, the event is stored and cannot be lost.
   * @param trigger reference of a trigger, or its type and parameters
   */
  dispatch(
    trigger: string | { readonly type: string; readonly parameters?: object },
    payload?: object | null,
    options?: { readonly traceTag?: string; readonly traceId?: string },
  ): Promise<void>;
  /** Items of the datastore. Their names begin with `<pack>.<class>:` unless `local` is false. */
  getValue(name: string, options?: { readonly local?: boolean; readonly decrypt?: boolean }): Promise<string | null>;
  setValue(
    name: string,
    value: string,
    options?: { readonly local?: boolean; readonly encrypt?: boolean; readonly ttlSeconds?: number },
  ): Promise<void>;
  /** @returns whether the item existed */
  deleteValue(name: string, options?: { readonly local?: boolean }): Promise<boolean>;
  listValues(options?: {
    readonly local?: boolean;
    readonly prefix?: string;
    readonly limit?: number;
    readonly offset?: number;
  }): Promise<readonly { readonly name: string; readonly value: string }[]>;
}

export interface SensorLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * A sensor: a class that the entry point exports under the `class_name` of the metadata. It has either `run`, which
 * does all the work and resolves when the sensor has finished permanently, or `poll`, which is called repeatedly. A
 * rejection or an exception ends the process, which is then restarted.
 */
export interface NodeSensor {
  /** Called once before `run` or `poll`. */
  setup?(): Promise<void> | void;
  run?(): Promise<void>;
  poll?(): Promise<void> | void;
  /** Called once when the sensor stops. */
  cleanup?(): Promise<void> | void;
  addTrigger?(trigger: SensorTrigger): Promise<void> | void;
  updateTrigger?(trigger: SensorTrigger): Promise<void> | void;
  removeTrigger?(trigger: SensorTrigger): Promise<void> | void;
}

/** @param config the configuration of the pack */
export type SensorClass = new (service: SensorService, config: Readonly<Record<string, unknown>>) => NodeSensor;
