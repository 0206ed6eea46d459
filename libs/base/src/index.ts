export { assertNever } from './assert-never';
export { backoffMs, type Backoff } from './backoff';
export { clientNetwork } from './client-network';
export { isoToMicros, microsToIso, systemClock, type Clock, type Micros } from './clock';
export { JsonScan, endOfText, parseBoundedJson } from './bounded-json';
export {
  DEEPEST_RESULT,
  assertWithin,
  boundedText,
  defaultDataLimits,
  excessFault,
  excessText,
  findExcess,
  isLonger,
  keptAsText,
  type DataLimits,
  type Excess,
} from './data-limits';
export { deferred, type Deferred } from './deferred';
export { catalogue, type ErrorCode, type ErrorEntry } from './errors/catalogue';
export { Fault, fault, isFault, messageOf, type FaultDetails, type FaultOptions } from './errors/fault';
export { isId, newId, randomHex, type Id } from './ids';
export { parseLargeJson } from './json-in-slices';
export { slices, type Slices } from './slices';
export { isPlainObject, type Json, type JsonObject } from './json';
export { jsonSize } from './json-size';
export { together } from './together';
export { DAY_MS, HOUR_MS, KIB, MIB, MINUTE_MS, MS_MICROS, SECOND_MICROS, SECOND_MS } from './units';
export { DEFAULT_MAX_PATTERN_LENGTH, checkPatternLength } from './pattern-length';
