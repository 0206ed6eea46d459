import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFrom } from '../faults/random';
import { clusterWebhookRound, embeddedWebhookRound, type WebhookRound } from '../faults/webhook-rounds';
import { startSide, type EventsSide } from './events-side';

const MINUTE = 60_000;
/** `npm run test:faults -- --scenario webhooks` does this with more events, more rounds and other seeds. */
const round: WebhookRound = { number: 1, scale: 200, random: randomFrom(7) };
const onServers = process.env['SVC_TEST_MONGODB_URL'] !== undefined;

let clean: () => Promise<void> | void = () => undefined;
afterEach(() => clean(), MINUTE);

it(
  `each of ${round.scale} webhooks that were answered leads to one execution, though ${onServers ? 'the rules engine' : 'the system'} is killed among them`,
  async () => {
    const { problems, line } = await (onServers ? inCluster() : inOneProcess());
    console.info(line);
    expect(problems).toEqual([]);
  },
  5 * MINUTE,
);

function inOneProcess() {
  const directory = mkdtempSync(join(tmpdir(), 'svc-burst-'));
  clean = () => rmSync(directory, { recursive: true, force: true });
  return embeddedWebhookRound(directory, round);
}

async function inCluster() {
  const side: EventsSide = await startSide();
  clean = () => side.stop();
  if (!side.cluster) throw new Error('Both servers have to be named.');
  return clusterWebhookRound(side.cluster, side.api, round);
}
