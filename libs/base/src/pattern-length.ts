import { fault } from './errors/fault';

/** The default of `limits.max_pattern_length`, for what has no configuration. */
export const DEFAULT_MAX_PATTERN_LENGTH = 8192;

/**
 * Refuses a pattern that is so long that preparing it would cost others their time.
 * @param where what it is, for the message: `pattern of "trigger.name"`
 * @throws Fault `request.pattern-too-long`
 */
export function checkPatternLength(pattern: string, where: string, allowed = DEFAULT_MAX_PATTERN_LENGTH): void {
  if (pattern.length > allowed) throw fault('request.pattern-too-long', { where, length: pattern.length, allowed });
}
