/// <reference types="jest" />

import { consoleRequests } from './reference-console/console-requests';
import { replayScenarios } from './replay-scenarios';
import { describeSide, type Side } from './side';

/** Declares a test for each recorded request of StackStorm's console and for each file of recorded responses, on one system. */
export const recordedRequests = (name: string, open: (config: string) => Promise<Side>): void =>
  describeSide(name, open, (sideOf) => {
    describe("the requests of the reference's console (st2web)", () => consoleRequests(sideOf));
    describe('recorded responses of StackStorm, replayed', () => replayScenarios(sideOf));
  });
