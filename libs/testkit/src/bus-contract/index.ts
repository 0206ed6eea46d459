/// <reference types="jest" />
import type { Bus } from '@switchyard/messaging';
import { consumersContract, lostConnectionContract } from './consumers';
import { publishingContract, routingContract } from './publishing';
import { watchQueueContract, workQueueContract } from './queues';
import { busSubject, type BusHarness } from './subject';

export type { BusHarness } from './subject';

/** Tests that both brokers have to pass: the embedded one and RabbitMQ. */
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
