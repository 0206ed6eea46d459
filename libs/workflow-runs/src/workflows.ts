import { fault, type Id, slices } from '@switchyard/base';
import { type ExecutionRecord, isTerminal } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import {
  Conductor,
  DefinitionError,
  type FlatFinding,
  RehearsalError,
  type RehearsalReportWithOutcome,
  type RehearsalRequest,
  type WorkflowOutline,
} from '@switchyard/workflow';
import { createDefinitionInspector } from './definition-inspector';
import { parseDefinition } from './definitions';
import { graphView, type WorkflowGraphView } from './graph-view';
import { createWorkflowJournal, type JournalDeps, type WorkflowJournal, workflowIdOf } from './journal';
import {
  findTaskRun,
  maskingOf,
  taskContextView,
  type TaskContextRequest,
  type TaskContextView,
} from './task-context-view';

/** Questions about the workflow runs behind executions. */
export interface Workflows {
  readonly journal: WorkflowJournal;
  /** @throws Fault `execution.no-workflow` for an execution that is not a workflow, or has not started */
  graph(execution: ExecutionRecord): Promise<WorkflowGraphView>;
  /**
   * The variables before and after one run of a task.
   * @throws Fault `execution.no-workflow`, `execution.no-task-run`
   */
  taskContext(execution: ExecutionRecord, request: TaskContextRequest): Promise<TaskContextView>;
  /** The names of the tasks that have run so far; undefined where no run of a workflow is known. */
  tasksOf(execution: ExecutionRecord): Promise<ReadonlySet<string> | undefined>;
  /** The id of the run behind an execution, if it is still open, even if another execution shows it now. */
  openRunOf(execution: ExecutionRecord): Promise<Id | undefined>;
  /**
   * Inspects the text of a workflow.
   * @param isShown whether the author may know of the action with this reference. Other actions are not checked
   * @returns all findings; none for a valid workflow
   * @throws Fault `workflow.unreadable` for a text that is not a definition
   */
  inspect(text: string, isShown: (action: string) => boolean): Promise<FlatFinding[]>;
  /**
   * The graph of the text of a workflow, also of one with findings.
   * @throws Fault `workflow.unreadable` for a text that is not a definition
   */
  outline(text: string): Promise<WorkflowOutline>;
  /**
   * Runs the text of a workflow with mocked actions.
   * @param user the value of `ctx(st2).user`; what else `st2` has in runs is empty, and so is `parent`
   * @throws Fault `workflow.unreadable`, which names the part that cannot be read and the place in it
   */
  rehearse(request: Omit<RehearsalRequest, 'context'>, user: string): Promise<RehearsalReportWithOutcome>;
}

export interface WorkflowsDeps extends JournalDeps {
  store: JournalDeps['store'] & Pick<Store, 'actions' | 'runnerTypes' | 'executions'>;
}

/** Variables that every workflow may read besides its own. */
const GIVEN = ['st2', 'parent'];

export function createWorkflows(deps: WorkflowsDeps): Workflows {
  const { store } = deps;
  const journal = createWorkflowJournal(deps);
  const inspector = createDefinitionInspector(store);
  const runOf = async ({ _id: id, context: { workflow_execution: workflow } }: ExecutionRecord) => {
    const record = typeof workflow === 'string' ? await store.workflows.get(workflow) : undefined;
    const [history, definition] = record
      ? await Promise.all([journal.read(record._id), store.workflows.getDefinition(record.definition)])
      : [];
    if (!record || !history || !definition) throw fault('execution.no-workflow', { id });
    return { record, history, definition };
  };
  return {
    journal,
    async tasksOf({ context: { workflow_execution: workflow } }) {
      const history = typeof workflow === 'string' ? await journal.read(workflow) : undefined;
      return history && new Set([...history.times.values()].map(({ entry }) => entry.task));
    },
    async openRunOf(execution) {
      const { workflow_execution: known } = execution.context;
      const workflow = typeof known === 'string' ? known : workflowIdOf(execution._id);
      const run = isTerminal(execution.status) ? await store.workflows.get(workflow) : undefined;
      const showing = run && run.execution !== execution._id ? await store.executions.get(run.execution) : execution;
      return showing && !isTerminal(showing.status) ? workflow : undefined;
    },
    async graph(execution) {
      const { status, end_timestamp: end } = execution;
      const { record, history, definition } = await runOf(execution);
      return graphView(record, await parseDefinition(definition, record.parameters), history, { status, end });
    },
    async taskContext(execution, request) {
      const { record, history, definition } = await runOf(execution);
      const entry = findTaskRun(record._id, history, request.task);
      const snapshot = history.takeSnapshot();
      if (!entry || !snapshot) throw fault('execution.no-task-run', { id: execution._id, task: request.task });
      const { spec } = await parseDefinition(definition, record.parameters);
      const slice = slices();
      const conductor = await Conductor.restoreInSlices(spec, snapshot, { slice });
      const mask = request.showSecrets
        ? async (value: unknown) => value
        : await maskingOf({ store, sealer: deps.sealer }, { record, text: definition.text, history }, slice);
      return taskContextView(record._id, { entry, conductor }, request, mask);
    },
    inspect: (text, isShown) => inspector.inspect(text, GIVEN, isShown).catch((error: unknown) => asUnreadable(error)),
    outline: (text) => inspector.outline(text).catch((error: unknown) => asUnreadable(error)),
    rehearse: (request, user) =>
      inspector.rehearse({ ...request, context: rehearsedContext(user) }).catch((error: unknown) => {
        const field = error instanceof RehearsalError ? 'rehearsal' : 'definition';
        return asUnreadable(error, { field });
      }),
  };
}

/** What `GIVEN` names, with the members that it has in a run. */
const rehearsedContext = (user: string) => ({
  st2: {
    ...{ action_execution_id: '', workflow_execution_id: '', api_url: '' },
    ...{ user, pack: '', action: '', runner: 'orquesta' },
  },
  parent: {},
});

/** The response about a text that is not a definition has the place of the problem. */
function asUnreadable(error: unknown, more: { readonly field?: string } = {}): never {
  if (!(error instanceof DefinitionError)) throw error;
  const { message: text, position } = error;
  throw fault('workflow.unreadable', { text }, { cause: error, extra: { ...more, ...position } });
}
