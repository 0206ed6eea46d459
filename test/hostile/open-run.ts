import { join } from 'node:path';
import { ROOT } from '../system/system-process';
import { memberOf, type Answer } from './answer';
import type { Setting } from './attack';
import { createCaller, type Caller, type Credentials, type Sent } from './caller';
import { followEvents } from './events';
import { plantedSecrets, watchForSecrets } from './planted';
import { startProbe, type Probe } from './probe/probe';
import { openProcessTarget } from './target/process-target';
import { openServicesTarget } from './target/services-target';
import { urlOf, type Target } from './target/target';
import { userLines } from './users';

/** Everything that a run of the suite uses. */
export interface Run {
  readonly setting: Setting;
  readonly probe: Probe;
  /** Findings in responses since the last call: 500s and secrets. */
  takeFindings(): string[];
  /** Planted secrets seen in logs, events and rejections. */
  leaks(): string[];
  /** Logs in after a start. Tokens survive a restart. */
  close(): Promise<void>;
}

export type Against = 'process' | 'services';

const PACK = join(ROOT, 'test/hostile/pack/hostile');

export async function openRun(against: Against, scale: number): Promise<Run> {
  const planted = plantedSecrets();
  const options = { packs: [PACK], users: userLines(planted) };
  const target = await (against === 'process' ? openProcessTarget(options) : openServicesTarget(options));
  const findings: string[] = [];
  const inRefusals = watchForSecrets(planted);
  const watch = (sent: Sent, answer: Answer) => {
    if (answer.status >= 400) inRefusals.look(answer.text);
    if (isFailure(answer))
      findings.push(`${sent.method} ${sent.path.slice(0, 80)}: ${answer.status} ${answer.text.slice(0, 200)}`);
  };
  const caller = (credentials: () => Credentials) => createCaller((path) => urlOf(target, path), credentials, watch);
  const stranger = caller(() => ({}));
  const token = await login(stranger);
  const api = caller(() => ({ 'x-auth-token': token }));
  const events = followEvents(target, token, watchForSecrets(planted));
  const probe = await startProbe();
  return {
    setting: { target, api, stranger, planted, scale },
    probe,
    takeFindings: () => findings.splice(0),
    leaks: () => [
      ...inRefusals.seen().map((name) => `${name}: in an answer that refuses something`),
      ...events.seen().map((name) => `${name}: in an event`),
      ...inLogs(target, planted).map((name) => `${name}: in a log`),
    ],
    async close() {
      events.close();
      for (const each of [api, stranger] as Caller[]) each.close();
      await probe.stop();
      await target.stop();
    },
  };
}

/** A 503 is a valid response: the system is overloaded, or another service is unavailable. */
const isFailure = ({ status }: Answer): boolean => status >= 500 && status !== 503;

function inLogs(target: Target, planted: Setting['planted']): readonly string[] {
  const watch = watchForSecrets(planted);
  for (const piece of target.logs()) watch.look(piece);
  return watch.seen();
}

async function login(stranger: Caller): Promise<string> {
  const authorization = `Basic ${Buffer.from('testu:testp').toString('base64')}`;
  const answer = await stranger.send({
    method: 'POST',
    path: '/auth/v1/tokens',
    headers: { authorization },
    body: '{}',
  });
  if (answer.status !== 201) throw new Error(`login failed: ${answer.status} ${answer.text}`);
  return memberOf(answer, 'token');
}
