import { DefinitionError } from '../spec/definition-error';
import type { MockExecution } from './rehearsal';

/** A run of a task or of one of its items that needs a mock result. */
export interface MockedRun {
  readonly task: string;
  readonly route: number;
  readonly sequenceIndex: number;
  readonly item?: number;
}

export interface MockAnswer {
  readonly status: string;
  readonly result: unknown;
}

/** Reads what `result_path` points to. */
export type ReadResult = (path: string) => unknown;

/** Mock results for actions. An action without a matching mock succeeds with null. */
export class MockActions {
  private readonly runs = new Map<string, number>();

  constructor(
    private readonly mocks: readonly MockExecution[],
    private readonly readResult: ReadResult = noFiles,
  ) {}

  answer(run: MockedRun): MockAnswer {
    const key = `${run.task} ${run.route} ${run.item ?? ''}`;
    const count = this.runs.get(key) ?? 0;
    this.runs.set(key, count + 1);
    const mock = this.mocks.find((each) => fits(each, run, count));
    if (!mock) return { status: 'succeeded', result: null };
    const { status, result, resultPath } = mock;
    return { status, result: resultPath === undefined ? result : this.readResult(resultPath) };
  }
}

const noFiles: ReadResult = (path) => {
  throw new DefinitionError(`Failed to load rehearsal because there is no reader for the result in "${path}".`);
};

const fits = (mock: MockExecution, { task, route, sequenceIndex, item }: MockedRun, run: number): boolean =>
  mock.taskId === task &&
  mock.route === route &&
  (mock.sequenceIndex === undefined || mock.sequenceIndex === sequenceIndex) &&
  (mock.itemIndex === undefined || mock.itemIndex === item) &&
  isAmongRuns(mock, run);

function isAmongRuns({ firstRun, runs }: MockExecution, run: number): boolean {
  const first = firstRun ?? 0;
  const count = runs ?? (firstRun === undefined ? Infinity : 1);
  return run >= first && run < first + count;
}
