import { type Id, randomHex } from '@switchyard/base';
import type { TriggerInstanceRecord } from '@switchyard/model';
import { startingWith } from '@switchyard/storage';

/** Identifies a trigger by reference, or by type and parameters. */
export type TriggerName = string | { readonly type: string; readonly parameters?: Readonly<Record<string, unknown>> };

export interface DispatchTrace {
  /** Id of an existing trace. */
  readonly id_?: string;
  /** Starts a new one. */
  readonly trace_tag?: string;
}

/** An event to dispatch. */
export interface DispatchRequest {
  readonly trigger: TriggerName;
  readonly payload?: Readonly<Record<string, unknown>> | null;
  readonly traceContext?: DispatchTrace | null;
  /** A second dispatch with the same key returns the first instance. */
  readonly requestKey?: string;
  /** False for events of the system itself. Otherwise the payload is checked as configured. */
  readonly validate?: boolean;
}

/**
 * Stores a trigger instance and notifies the rules engine. Once this resolves, the instance cannot be lost.
 * @throws Fault `trigger.payload` and others when validation is on and the trigger or payload is invalid
 */
export type Dispatch = (request: DispatchRequest) => Promise<TriggerInstanceRecord>;

/*
 * Request keys of trigger instances about an execution: its status, a notification, an announcement by its action. They
 * start with the execution's id, so that a query by prefix finds them all and the trace need not list them.
 */

/** @param what distinguishes the instances of one execution */
export const executionKey = (execution: Id, ...what: readonly (string | number)[]): string =>
  [execution, ...what].join(':');

/** A filter that matches exactly the keys of one execution. */
export const keysOfExecution = (execution: Id) => startingWith(`${execution}:`);

/** @returns the id of the execution that a key belongs to; undefined for other keys and for no key */
export const executionOfKey = (key = ''): Id | undefined => /^([0-9a-f]{24}):/.exec(key)?.[1];

/*
 * Tags that the system assigns to traces of events without a tag. Traces with the same tag are joined, except for these
 * tags: a timer's tag is the same each time, a webhook's never is.
 */

/** `st2.IntervalTimer-<name of the trigger>`. @param type the reference of the trigger type */
export const timerTag = (type: string, name: string): string => `st2.${type.slice(type.lastIndexOf('.') + 1)}-${name}`;

const HEX_DIGITS = 32;
/** Longer hook names are cut, so that the tag with its random part stays within the length limit. */
const LONGEST_HOOK = 400;

export const webhookTag = (hook: string): string => `webhook-${hook.slice(0, LONGEST_HOOK)}-${randomHex(HEX_DIGITS)}`;

export const namesNoEvent = (tag: string): boolean => GIVEN.test(tag);

const GIVEN = new RegExp(`(?:^|\\.)(?:Interval|Date|Cron)Timer-|^webhook-.*-[0-9a-f]{${HEX_DIGITS}}$`, 's');
