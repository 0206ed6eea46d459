export { JsonScan, endOfText, parseBoundedJson } from './bounded-json';
export { addressList, bareAddress, isAddressEntry, type AddressList } from './address-list';
export { clientNetwork } from './client-network';
export {
  DEEPEST_RESULT,
  DEFAULT_MAX_PATTERN_LENGTH,
  assertWithin,
  checkRecordSize,
  DEFAULT_MAX_RECORD_BYTES,
  boundedText,
  checkPatternLength,
  defaultDataLimits,
  excessFault,
  excessText,
  findExcess,
  isLonger,
  keptAsText,
  type DataLimits,
  type Excess,
} from './data-limits';
export { catalogue, type CatalogueEntry, type ErrorCode } from './errors/catalogue';
export {
  Fault,
  assertNever,
  fault,
  isFault,
  lacksResources,
  messageOf,
  type FaultDetails,
  type FaultOptions,
} from './errors/fault';
export { AT_ONCE_CHARACTERS, inexactNumbers, isInexactNumber, parseExactJson, quoteInexactNumbers } from './exact-json';
export { networkReason } from './errors/network-reason';
export { earliestId, isId, newId, randomHex, timeOfId, type Id } from './ids';
export { isPlainObject, jsonProblem, jsonSize, type Json, type JsonObject } from './json';
export { parseLargeJson } from './json-in-slices';
export { isLargeJson, jsonBytes, jsonPieces } from './json-pieces';
export { deferred, keyedQueue, SHARED_CALL_WAIT_MS, together, type Deferred } from './promises';
export { createSlicedTurns, nextTurn, slices, type Slices, type SlicedTurns } from './slices';
export { ownProcessorClock, processorMsOf, threadId } from './processor-time';
export { backoffMs, isoToMicros, microsToIso, systemClock, type Backoff, type Clock, type Micros } from './time';
export { DAY_MS, HOUR_MS, KIB, MIB, MINUTE_MS, MS_MICROS, SECOND_MICROS, SECOND_MS } from './units';
