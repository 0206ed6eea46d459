import { isPlainObject } from '@switchyard/base';
import { DefinitionError } from '../spec/definition-error';
import { rawDefinition, type DefinitionSource, type RawDefinition } from '../spec/source';
import { parseYaml } from '../spec/yaml/parse-yaml';
import { YamlText } from '../spec/yaml/yaml-text';
import { violationCheck } from '../syntax/violations';
import type { Expectations, MockExecution, Rehearsal, RehearsalFile, RehearsedRerun } from './rehearsal';

const LEAD = 'Failed to load rehearsal because ';

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads a rehearsal in the format of the reference's test cases. Here `rerun_tasks` is combined with `workflow`, since
 * another engine cannot use the reference's serialized state.
 * @throws DefinitionError with the first problem and its place
 */
export function parseRehearsal(source: DefinitionSource): RehearsalFile {
  const { raw } = checked(rawDefinition(source, LEAD), violationsOfFile);
  if (!('workflow' in raw)) throw new DefinitionError("'workflow' is a required property");
  return { workflow: String(raw.workflow), ...readRehearsal(raw) };
}

/**
 * Reads a rehearsal that comes with its definition, from somewhere without files: `workflow` has no meaning, and
 * results cannot be read from files. Without a task sequence, tasks and routes are not compared.
 * @throws DefinitionError as `parseRehearsal`
 */
export function parseRehearsalWithoutFiles(source: DefinitionSource): Rehearsal {
  const written = typeof source === 'string' ? parseYaml(source, LEAD) : source;
  if (written instanceof YamlText && !isPlainObject(written.value)) {
    const problem = written.value === null ? 'is empty: expected a map,' : 'is not a map,';
    throw new DefinitionError(`The rehearsal ${problem} such as "inputs: {}".`, { line: 1, column: 1 });
  }
  const { raw, text } = checked(rawDefinition(written, LEAD), violationsOfAny);
  const { mocks, ...rehearsal } = readRehearsal(raw);
  const named = mocks.findIndex(({ resultPath }) => resultPath !== undefined);
  if (named >= 0) {
    throw new DefinitionError(
      '"result_path" names a file, which cannot be read here: give the value as "result" instead.',
      text?.positionOf(['mock_action_executions', named, 'result_path']),
    );
  }
  return { ...rehearsal, mocks };
}

function checked(definition: RawDefinition, violationsOf: ReturnType<typeof violationCheck>): RawDefinition {
  const { raw, text } = definition;
  const [violation] = violationsOf(raw);
  if (violation) throw new DefinitionError(violation.message, text?.positionOf(violation.path));
  if ('workflow_state' in raw) {
    throw new DefinitionError(
      '"workflow_state" is not supported: use "workflow" with "rerun_tasks" instead.',
      text?.positionOf(['workflow_state']),
    );
  }
  return definition;
}

const readRehearsal = (raw: Raw): Rehearsal => ({
  inputs: isPlainObject(raw.inputs) ? raw.inputs : {},
  mocks: maps(raw.mock_action_executions).map(readMock),
  ...(raw.rerun_tasks !== undefined && { rerun: maps(raw.rerun_tasks).map(readRerun) }),
  expected: readExpectations(raw),
});

const readRerun = ({ task_id, route, reset_items }: Raw): RehearsedRerun => ({
  taskId: String(task_id),
  route: index(route) ?? 0,
  resetItems: reset_items === true,
});

function readMock({
  task_id,
  route,
  seq_id,
  item_id,
  iter_id,
  num_iter,
  status,
  result,
  result_path,
}: Raw): MockExecution {
  const sequenceIndex = index(seq_id);
  const itemIndex = index(item_id);
  const firstRun = index(iter_id);
  const runs = index(num_iter);
  return {
    taskId: String(task_id),
    route: index(route) ?? 0,
    ...(sequenceIndex !== undefined && { sequenceIndex }),
    ...(itemIndex !== undefined && { itemIndex }),
    ...(firstRun !== undefined && { firstRun }),
    ...(runs !== undefined && { runs }),
    status: typeof status === 'string' ? status : 'succeeded',
    result: result ?? null,
    ...(typeof result_path === 'string' && { resultPath: result_path }),
  };
}

const readExpectations = (raw: Raw): Expectations => ({
  inspectionErrors: isPlainObject(raw.expected_inspection_errors) ? raw.expected_inspection_errors : {},
  taskSequence: texts(raw.expected_task_sequence),
  routes: routesIn(raw),
  workflowStatus: typeof raw.expected_workflow_status === 'string' ? raw.expected_workflow_status : 'succeeded',
  termTasks: texts(raw.expected_term_tasks),
  errors: Array.isArray(raw.expected_errors) ? raw.expected_errors : undefined,
  output: raw.expected_output,
});

function routesIn({ expected_routes: routes, expected_task_sequence: tasks }: Raw): Expectations['routes'] {
  if (Array.isArray(routes)) return routes.map((route) => texts(route) ?? []);
  return tasks === undefined ? undefined : [[]];
}

const index = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const maps = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.filter(isPlainObject) : []);

const texts = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

const INDEX = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string', minLength: 1 };
const TEXTS = { type: 'array', items: TEXT };

const MOCK = {
  type: 'object',
  required: ['task_id'],
  properties: {
    task_id: TEXT,
    route: INDEX,
    seq_id: INDEX,
    item_id: INDEX,
    iter_id: INDEX,
    num_iter: { type: 'integer', minimum: 1 },
    status: { enum: ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled', 'pending', 'paused', 'running'] },
    result: {},
    result_path: TEXT,
  },
  additionalProperties: false,
};

const RERUN_TASK = {
  type: 'object',
  required: ['task_id'],
  properties: { task_id: TEXT, route: INDEX, reset_items: { type: 'boolean' } },
  additionalProperties: false,
};

/** Draft 4. */
const REHEARSAL_SCHEMA = {
  type: 'object',
  properties: {
    workflow: TEXT,
    workflow_state: { type: 'object' },
    rerun_tasks: { type: 'array', items: RERUN_TASK },
    inputs: { type: 'object' },
    expected_inspection_errors: { type: 'object' },
    expected_task_sequence: TEXTS,
    expected_routes: { type: 'array', items: TEXTS },
    mock_action_executions: { type: 'array', items: MOCK },
    expected_term_tasks: TEXTS,
    expected_workflow_status: TEXT,
    expected_errors: { type: ['array', 'null'], items: { type: 'object' } },
    expected_output: {},
  },
  additionalProperties: false,
} as const;

const violationsOfAny = violationCheck(REHEARSAL_SCHEMA);
const violationsOfFile = violationCheck({ required: ['expected_task_sequence'], ...REHEARSAL_SCHEMA });
