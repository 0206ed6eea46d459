/// <reference types="jest" />
import type { Bus } from '@switchyard/messaging';
import { consumersContract } from './consumers';
import { lostConnectionContract } from './lost-connection';
import { publishingContract } from './publishing';
import { routingContract } from './routing';
import { watchQueueContract } from './watch-queue';
import { workQueueContract } from './work-queue';
import { busSubject, type BusHarness } from './subject';

export type { BusHarness } from './subject';

/** What both brokers, the embedded one and RabbitMQ, have to do alike. */
export function busContract(name: string, open: () => Promise<BusHarness>): void {
  describe(`the bus on ${name}`, () => {
    let harness: BusHarness;
    let bus: Bus;
    const subject = busSubject(() => ({ harness, bus }));

    beforeEach(async () => {
      harness = await open();
      bus = await harness.connect();
    });

    afterEach(() => harness.close());

    routingContract(subject);
    workQueueContract(subject);
    watchQueueContract(subject);
    consumersContract(subject);
    lostConnectionContract(subject);
    publishingContract(subject);
  });
}
