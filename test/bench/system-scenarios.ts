import type { Bench } from './bench';
import { callsScenario } from './calls-scenario';
import { consoleScenario } from './console-scenario';
import { itemsScenario, localScenario, noopScenario, pythonScenario, shapesScenario, sshScenario, webhookScenario, workflowScenario } from './job-scenarios'; // oxfmt-ignore
import { listScenario } from './list-scenario';
import type { Measurement } from './measurement';
import { mixedScenario } from './mixed-load';
import { purgeScenario } from './purge-scenario';
import { idleScenario, memoryScenario, startScenario } from './resource-scenarios';
import { scalingScenario } from './scaling-scenario';
import { storedScenario } from './stored-scenario';
import { streamScenario } from './stream-scenario';

/** A scenario that runs on a whole system. */
export interface SystemScenario {
  readonly run: (bench: Bench) => Promise<Measurement[]>;
  /** Set if it only needs HTTP, so that the other system may run on another machine. */
  readonly overHttp?: true;
  /** Set if it only runs on servers. */
  readonly onServers?: true;
  /** Set if `all` leaves it out, because it takes long or needs a browser. */
  readonly byName?: true;
}

export const SYSTEM_SCENARIOS: Readonly<Record<string, SystemScenario>> = {
  noop: { run: noopScenario, overHttp: true },
  local: { run: localScenario, overHttp: true },
  list: { run: listScenario },
  python: { run: pythonScenario, overHttp: true },
  ssh: { run: sshScenario },
  webhook: { run: webhookScenario, overHttp: true },
  workflow: { run: workflowScenario, overHttp: true },
  items: { run: itemsScenario, overHttp: true },
  shapes: { run: shapesScenario },
  stream: { run: streamScenario },
  calls: { run: callsScenario, onServers: true },
  start: { run: startScenario },
  idle: { run: idleScenario },
  memory: { run: memoryScenario },
  stored: { run: storedScenario },
  mixed: { run: mixedScenario, byName: true },
  purge: { run: purgeScenario, byName: true },
  console: { run: consoleScenario, byName: true },
  scaling: { run: scalingScenario, onServers: true, byName: true },
};
