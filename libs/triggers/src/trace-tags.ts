import { randomHex } from '@switchyard/base';

/*
 * Tags that the system gives to the traces of events which come without one. Traces of the same tag are joined, but not those of these
 * tags: a timer's is the same each time, a webhook's never.
 */

/** `st2.IntervalTimer-<name of the trigger>`. @param type the reference of the trigger type */
export const timerTag = (type: string, name: string): string => `st2.${type.slice(type.lastIndexOf('.') + 1)}-${name}`;

const HEX_DIGITS = 32;
/** Longer names of hooks are cut, so that the part that is different each time stays within what a tag may be long. */
const LONGEST_HOOK = 400;

export const webhookTag = (hook: string): string => `webhook-${hook.slice(0, LONGEST_HOOK)}-${randomHex(HEX_DIGITS)}`;

export const namesNoEvent = (tag: string): boolean => GIVEN.test(tag);

const GIVEN = new RegExp(`(?:^|\\.)(?:Interval|Date|Cron)Timer-|^webhook-.*-[0-9a-f]{${HEX_DIGITS}}$`, 's');
