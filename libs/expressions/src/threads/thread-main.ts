// The entry point of a thread: runs evaluations that would block the main thread. Questions for the host block this
// thread until they are answered, because evaluations are synchronous.
import { threadId } from '@switchyard/base';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { serialize } from 'node:v8';
import { Allowance } from '../allowance';
import { type ExpressionScope, type HostFunction, UNRESOLVED } from '../evaluate/scope';
import { PURE_FUNCTIONS } from '../functions/pure-functions';
import { evaluateJinja, renderJinja } from '../jinja/expression';
import { renderNative, renderText, type RenderOptions } from '../jinja/render';
import type { RenderLimits } from '../jinja/run/budget';
import { systemItems } from '../rules/system-items';
import type { HostQuestion } from '../turns/evaluation';
import { countProcessorTime, leaveOut, workingMs } from '../turns/slice';
import { evaluateYaql, yaqlText } from '../yaql';
import type { AllowanceLeft, HostAnswer, FromThread, Job, Outcome } from './messages';
import type { ThreadData } from './thread';
import { fromWire, toWire } from './wire-error';

const { answers, signal } = workerData as ThreadData;

const say = (message: FromThread): void => parentPort?.postMessage(message);

let started = 0;
const askedBefore = new Map<string, HostAnswer>();

parentPort?.on('message', (job: Job) => {
  started = workingMs();
  askedBefore.clear();
  const outcome = outcomeOf(job);
  try {
    say(outcome);
  } catch (error) {
    say({ ...outcome, answer: { error: toWire(error) } });
  }
});
say({ kind: 'ready', thread: countProcessorTime() ? threadId() : undefined });

function outcomeOf(job: Job): Outcome {
  const allowance = job.allowance && allowanceOf(job.allowance);
  const before = allowance?.balance ?? 0;
  const answer = answerTo(() => (allowance ? allowance.run(() => evaluated(job)) : evaluated(job)));
  return { kind: 'outcome', answer, steps: before - (allowance?.balance ?? 0), ms: workingMs() - started };
}

function allowanceOf({ limits, steps, ms }: AllowanceLeft): Allowance {
  const allowance = new Allowance(limits);
  allowance.charge(limits.steps - steps, limits.durationMs - ms);
  return allowance;
}

function answerTo(work: () => unknown): Outcome['answer'] {
  try {
    const value = work();
    return value === UNRESOLVED ? { unresolved: true } : { value };
  } catch (error) {
    return { error: toWire(error) };
  }
}

function evaluated(job: Job): unknown {
  const { language, form, source, values } = job;
  if (language === 'template') return (form === 'native' ? renderNative : renderText)(source, contextOf(job), optionsOf(job)); // oxfmt-ignore
  const scope: ExpressionScope = { variables: values, functions: functionsOf(job) };
  if (form === 'block') return renderJinja(source, scope);
  if (language === 'jinja') return evaluateJinja(source, scope, form);
  return (form === 'native' ? evaluateYaql : yaqlText)(source, scope, job.limits);
}

const functionsOf = ({ functions }: Job): Map<string, HostFunction> =>
  new Map([
    ...PURE_FUNCTIONS,
    ...functions.map(({ name, ...signature }): [string, HostFunction] => [
      name,
      { ...signature, call: (args, rest) => ask({ name, args, rest }) },
    ]),
  ]);

const contextOf = ({ values, reads }: Job): Job['values'] =>
  reads.system ? { ...values, system: systemItems({ read: readItem }) } : values;

const optionsOf = ({ reads, lenient, limits }: Job): RenderOptions => ({
  missing: lenient ? 'lenient' : 'strict',
  ...(reads.datastore ? { datastore: readItem } : {}),
  ...(limits ? { limits: limits as RenderLimits } : {}),
});

const readItem: NonNullable<RenderOptions['datastore']> = (item) => ask({ item }) as string | undefined;

/** Sends each question once. @throws the error in the host's answer */
function ask(question: HostQuestion): unknown {
  const key = serialize(question).toString('latin1');
  const answer = askedBefore.get(key) ?? waitFor(question);
  askedBefore.set(key, answer);
  if ('error' in answer) throw fromWire(answer.error);
  return answer.value;
}

function waitFor(question: HostQuestion): HostAnswer {
  const seen = Atomics.load(signal, 0);
  const before = performance.now();
  say({ kind: 'asks', question, ms: workingMs() - started });
  Atomics.wait(signal, 0, seen);
  leaveOut(performance.now() - before);
  return (receiveMessageOnPort(answers) as { message: HostAnswer }).message;
}
