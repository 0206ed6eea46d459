import type { Definitions } from '@switchyard/model';
import type { Transport } from '../transport/transport';
import { answerOf, readableRecords, type ReadableRecords } from './records';

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

export interface RunnerTypes extends ReadableRecords<RunnerType> {
  setEnabled(runner: RunnerType, enabled: boolean): Promise<RunnerType>;
}

const PATH = ['runnertypes'];

export const createRunnerTypes = (transport: Transport): RunnerTypes => ({
  ...readableRecords<RunnerType>(transport, PATH),
  setEnabled: (runner, enabled) => answerOf(transport, 'PUT', [...PATH, runner.id], { ...runner, enabled }),
});
