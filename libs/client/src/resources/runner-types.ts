import type { Definitions } from '@switchyard/model';
import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

export interface RunnerType {
  id: string;
  uid: string;
  name: string;
  description?: string;
  enabled: boolean;
  runner_package?: string;
  runner_module: string;
  runner_parameters: Definitions;
  output_key?: string;
  output_schema?: Record<string, unknown>;
}

export interface RunnerTypes {
  list(query?: ListQuery): Promise<RunnerType[]>;
  /** @throws ApiError with status 404 when there is none */
  get(nameOrId: string): Promise<RunnerType>;
  setEnabled(runner: RunnerType, enabled: boolean): Promise<RunnerType>;
}

const PATH = ['runnertypes'];

export const createRunnerTypes = (transport: Transport): RunnerTypes => ({
  list: (query = {}) => readAll<RunnerType>(transport, PATH, query),
  get: async (nameOrId) =>
    (await transport.json<RunnerType>({ service: 'api', method: 'GET', path: [...PATH, nameOrId] })).body,
  async setEnabled(runner, enabled) {
    const path = [...PATH, runner.id];
    const body = { ...runner, enabled };
    return (await transport.json<RunnerType>({ service: 'api', method: 'PUT', path, body })).body;
  },
});
