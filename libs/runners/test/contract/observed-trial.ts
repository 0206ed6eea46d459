import type { RunAbilities, RunHandle } from '@switchyard/runners';
import { isAlive } from '../processes';
import { startTrial, type Trial } from '../runner-fixture';
import { until, type Begun, type Given } from './runner-adapter';

type Heard = Pick<RunAbilities, 'logger' | 'output'>;

/**
 * Starts a run and records everything it reports. Numbers in its output are process ids.
 * @param start must pass these abilities to the run
 */
export function observed(start: (abilities: Heard) => { readonly handle: RunHandle }): Begun {
  const pieces: string[] = [];
  const log: string[] = [];
  const complaints: string[] = [];
  const note = (message: string, fields?: unknown) => void log.push(`${message} ${JSON.stringify(fields)}`);
  const complain = (message: string, fields?: unknown) => {
    note(message, fields);
    complaints.push(message);
  };
  const { handle } = start({
    logger: { error: complain, warn: complain, info: note, debug: note },
    output: (_type, chunk) => void pieces.push(chunk.toString()),
  });
  const pids = () => [...pieces.join('').matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return {
    handle,
    pieces,
    log,
    complaints,
    inMidRun: () => until(() => pieces.join('').includes('\n')),
    left: async () => pids().filter(isAlive),
  };
}

export const observedTrial = (trial: Trial, given: Given): Begun =>
  observed((heard) =>
    startTrial({
      ...trial,
      settings: { ...trial.settings, ...limits(given) },
      abilities: { ...heard, ...trial.abilities },
    }),
  );

/** The settings that a row requires. */
export const limits = ({ maxOutputBytes }: Given) => (maxOutputBytes === undefined ? {} : { maxOutputBytes });
