import { runTrial, startTrial, type Trial } from '../runner-fixture';

type Parameters = Readonly<Record<string, unknown>>;

/** The parameters that the action declares; all others are the runner's. */
const OWN = ['method', 'body', 'params', 'auth', 'timeout', 'file_name', 'file_content', 'file_content_type'];

export function httpTrial(parameters: Parameters, trial: Partial<Trial> = {}): Trial {
  const entries = Object.entries(parameters);
  return {
    runner: 'http-request',
    action: { name: 'fetch' },
    parameters: Object.fromEntries(entries.filter(([name]) => !OWN.includes(name))),
    actionParameters: Object.fromEntries(entries.filter(([name]) => OWN.includes(name))),
    ...trial,
    settings: { environment: {}, ...trial.settings },
  };
}

export const request = (parameters: Parameters, trial: Partial<Trial> = {}) => runTrial(httpTrial(parameters, trial));

export const startRequest = (parameters: Parameters, trial: Partial<Trial> = {}) =>
  startTrial(httpTrial(parameters, trial));
