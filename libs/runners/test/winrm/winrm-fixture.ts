import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTrial, type Trial } from '../runner-fixture';
import { Endpoint, type EndpointOptions } from './endpoint';
import { PASSWORD, USER } from './ntlm-host';

type Parameters = Readonly<Record<string, unknown>>;

const open: { close(): Promise<void> }[] = [];

/** Call it in `afterEach`. */
export const closeAll = async (): Promise<void> => void (await Promise.all(open.splice(0).map((each) => each.close())));

export function keep<T extends (typeof open)[number]>(started: T): T {
  open.push(started);
  return started;
}

export const endpoint = async (options: EndpointOptions = {}): Promise<Endpoint> =>
  keep(await new Endpoint(options).open());

/** The parameters for reaching an endpoint. */
export const access = ({ port }: Pick<Endpoint, 'port'>, scheme = 'http'): Parameters => ({
  host: '127.0.0.1',
  port,
  scheme,
  username: USER,
  password: PASSWORD,
  timeout: 60,
});

export const start = (runner: string, parameters: Parameters, trial: Partial<Trial> = {}) =>
  startTrial({ runner, parameters, ...trial });

export const run = (runner: string, parameters: Parameters, trial: Partial<Trial> = {}) =>
  start(runner, parameters, trial).handle.result;

/** A pack with one script. */
export function packWith(script: string | Buffer): { packDirectory: string; entry_point: string } {
  const packDirectory = mkdtempSync(join(tmpdir(), 'winrm-pack-'));
  open.push({ close: () => rm(packDirectory, { recursive: true }) });
  mkdirSync(join(packDirectory, 'actions'));
  writeFileSync(join(packDirectory, 'actions', 'act.ps1'), script);
  return { packDirectory, entry_point: 'act.ps1' };
}
