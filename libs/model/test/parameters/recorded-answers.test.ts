import { isPlainObject } from '@switchyard/base';
import { recordedLines } from '@switchyard/testkit/recorded';
import {
  castParameters,
  checkParameterDefinitions,
  mergeParameters,
  refuseImmutableOverrides,
  validateParameters,
  type ActionRecord,
  type RunnerTypeRecord,
} from '../../src';

interface Step {
  do: string;
  body?: { action?: string; parameters?: Record<string, unknown>; runner_type?: string };
  message?: boolean;
  defect?: number;
  expect: { status: number; body?: { faultstring?: string; action?: ActionRecord; runner?: RunnerTypeRecord } | null };
}
interface Scenario {
  name: string;
  steps: Step[];
}

const scenarios = ['executions', 'pack', 'events', 'platform'].flatMap((file) =>
  recordedLines<Scenario>(`http/${file}.jsonl`),
);

/** Cases rejected for reasons other than their parameters. */
const otherReasons =
  /cannot be found|is disabled|Dependency|Failed to render|context|[Tt]race|'action' is|No permission/;

interface Target {
  action: ActionRecord;
  runner: RunnerTypeRecord;
}

const isOwn = (ref: string): boolean => ref.includes('{{run}}');
const answers = scenarios.flatMap(({ steps }) => steps.map((step) => step.expect.body ?? {}));
const runners = new Map<string, RunnerTypeRecord>();
for (const { runner } of answers) if (runner?.runner_parameters) runners.set(runner.name, runner);

/** Shipped actions, as shown with executions, and those created by the scenario itself. */
function targetsOf({ steps }: Scenario): Map<string, Target> {
  const targets = new Map<string, Target>();
  for (const { action, runner } of answers) {
    if (action?.ref && !isOwn(action.ref) && runner?.runner_parameters) targets.set(action.ref, { action, runner });
  }
  for (const { do: request, expect: answer } of steps) {
    const action = answer.body as ActionRecord | undefined;
    const runner = runners.get(action?.runner_type ?? '');
    if (request === 'POST /v1/actions' && answer.status === 201 && action && runner)
      targets.set(action.ref, { action, runner });
  }
  return targets;
}

const hasTemplates = (value: unknown): boolean => /\{\{ |\{%/.test(JSON.stringify(value));

describe('recorded executions', () => {
  const cases = scenarios.flatMap((scenario) => {
    const targets = targetsOf(scenario);
    return scenario.steps.flatMap((step, index) => {
      const target = targets.get(step.body?.action ?? '');
      const { status, body } = step.expect;
      const isRun =
        step.do.startsWith('POST /v1/executions') && !step.do.includes('re_run') && step.defect === undefined;
      if (!isRun || !target || (status !== 201 && !isPlainObject(step.body?.parameters))) return [];
      if (hasTemplates(step.body) || (status === 201 && hasTemplates(target.action.parameters))) return [];
      if (status !== 201 && (status !== 400 || otherReasons.test(body?.faultstring ?? ''))) return [];
      return [{ title: `${scenario.name} ${index}`, step, ...target }];
    });
  });

  it.each(cases.map((each) => [each.title, each] as const))('%s', (_, { step, action, runner }) => {
    const request = (): void => {
      const definitions = mergeParameters(runner.runner_parameters, action.parameters);
      const values = castParameters(step.body?.parameters ?? {}, definitions);
      validateParameters(values, runner, action);
      refuseImmutableOverrides(values, runner, action);
    };
    if (step.expect.status === 201) expect(request).not.toThrow();
    else if (step.message) expect(request).toThrow(step.expect.body?.faultstring);
    else expect(request).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('cover many cases', () => expect(cases.length).toBeGreaterThan(100));
});

describe('recorded definitions', () => {
  const cases = scenarios.flatMap(({ name, steps }) =>
    steps.flatMap((step, index) => {
      const runnerParameters = runners.get(step.body?.runner_type ?? '')?.runner_parameters;
      const isCreate = step.do === 'POST /v1/actions' && step.body?.parameters && step.defect === undefined;
      const isOurs = step.expect.status === 201 || name.startsWith('actions/param');
      return isCreate && isOurs && runnerParameters ? [[`${name} ${index}`, step, runnerParameters] as const] : [];
    }),
  );

  it.each(cases)('%s', (_, step, runnerParameters) => {
    const check = (): void =>
      checkParameterDefinitions(step.body?.parameters, {
        actionRef: 'default.{{run}}',
        runnerParameters,
        plainNested: true,
      });
    if (step.expect.status === 201) expect(check).not.toThrow();
    else if (step.message) expect(check).toThrow(step.expect.body?.faultstring);
    else expect(check).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('cover many cases', () => expect(cases.length).toBeGreaterThan(30));
});
