export { writeChecks, type WriteChecks } from './check-write';
export { eventually } from './eventually';
export { handClock, testClock, type HandClock, type TestClock } from './test-clock';
export { openTestPlatform, withReconnects, type TestPlatform } from './test-platform';
export { dropDatabase, dropQueues, openTestSite, TEST_POOLS, type TestSite } from './test-site';
export { leakCheck, type Later } from '../leak-check';
export { aChunk, anAction, anExecution, anInstance, aRunnerType } from '../records';
