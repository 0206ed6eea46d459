import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { deferred, fault, messageOf, slices } from '@switchyard/base';
import {
  startProcess,
  type ChildRun,
  type OutputStream,
  type ProcessOptions,
  type ProcessResult,
} from '@switchyard/subprocess';
import type { SpanCarrier } from '@switchyard/telemetry';
import type { RunAbilities, RunHandle, RunRequest, RunResult } from './runner-plugin';

/** A process to start, and how to interpret its end. */
export interface PreparedProcess {
  readonly process: Omit<ProcessOptions, 'onOutput' | 'maxOutputBytes' | 'awaitsBackground' | 'marker' | 'graceMs'>;
  /** Starts the process. Default: `startProcess`. */
  start?(options: ProcessOptions): Promise<ChildRun>;
  conclude(result: ProcessResult): RunResult | Promise<RunResult>;
  /** Called once the process was started, with the connections that `process.channels` requests. */
  converse?(channels: readonly Duplex[]): void;
  /** Called once, after the end. A failure is logged. */
  cleanUp?(): Promise<void>;
}

/**
 * Runs one process for a runner: passes on its output, reports its identity, and on cancel kills it with all descendants.
 * @param prepare if it throws, the run fails with that message
 */
export function runProcess(
  request: RunRequest,
  abilities: RunAbilities,
  prepare: () => PreparedProcess | Promise<PreparedProcess>,
): RunHandle {
  const run = new ProcessRun(request, abilities);
  return { result: run.follow(prepare).catch(failedRun), cancel: () => run.cancel() };
}

/** The result of a run that failed with an error. */
export const failedRun = (thrown: unknown): RunResult => ({
  status: 'failed',
  result: { failed: true, succeeded: false, error: messageOf(thrown) },
});

/** The error of a run whose process was ended because its exit status could no longer be known. */
export const LOST_PROCESS =
  'The process of the action was ended, because the process that had started it has died. The progress of the action is unknown.';

const canceledRun: RunResult = { status: 'canceled', result: { failed: true, succeeded: false } };

/** Shorter runs are not reported: their processes are found by the marker if this service dies in this time. */
const BRIEF_MS = 50;

/** @returns whether a run ends in this time */
async function endsWithin(limitMs: number, { result }: Pick<ChildRun, 'result'>): Promise<boolean> {
  const late = deferred<false>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  const hasEnded = await Promise.race([result.then(() => true), late.promise]);
  clearTimeout(timer);
  return hasEnded;
}

class ProcessRun {
  readonly #request: RunRequest;
  readonly #abilities: RunAbilities;
  #isCanceled = false;
  #child: ChildRun | undefined;

  constructor(request: RunRequest, abilities: RunAbilities) {
    this.#request = request;
    this.#abilities = abilities;
  }

  cancel(): void {
    this.#isCanceled = true;
    this.#child?.end();
  }

  async follow(prepare: () => PreparedProcess | Promise<PreparedProcess>): Promise<RunResult> {
    const prepared = await prepare();
    // A start takes milliseconds, and dozens of runs may begin in the same turn.
    await slices().pause();
    try {
      return this.#isCanceled ? canceledRun : await this.#runToEnd(prepared);
    } finally {
      await prepared.cleanUp?.().catch((thrown: unknown) => this.#warn('Cleaning up after a run failed.', thrown));
    }
  }

  async #runToEnd(prepared: PreparedProcess): Promise<RunResult> {
    const text = new OutputText(this.#abilities);
    const { maxOutputBytes, graceMs } = this.#abilities.config;
    const child = await (prepared.start ?? startProcess)({
      ...prepared.process,
      maxOutputBytes,
      awaitsBackground: true,
      ...(graceMs !== undefined && { graceMs }),
      marker: { name: EXECUTION_MARKER, value: this.#request.executionId },
      onOutput: (stream, chunk) => text.pass(stream, chunk),
    });
    this.#child = child;
    if (this.#isCanceled) child.end();
    if (child.identity !== undefined) prepared.converse?.(child.channels);
    const [result, notStored] = await Promise.all([child.result, this.#report(child)]);
    await text.finish();
    this.#note(result);
    return notStored ?? prepared.conclude(result);
  }

  /** @returns a result if the run must stop, because no other service could find and kill its process */
  async #report(child: ChildRun): Promise<RunResult | undefined> {
    try {
      if (child.identity !== undefined && !(await endsWithin(BRIEF_MS, child)))
        await this.#abilities.started(child.identity);
      return undefined;
    } catch (thrown) {
      child.end();
      const failure = failedRun(fault('runner.not-stored', { reason: messageOf(thrown) }, { cause: thrown }));
      return { ...failure, status: 'abandoned' };
    }
  }

  #note({ outputError, survivors }: ProcessResult): void {
    if (outputError !== undefined) this.#warn('Output of an execution was not accepted.', outputError);
    if (survivors.length > 0) this.#warn('Processes of an execution could not be ended.', undefined, { survivors });
  }

  #warn(message: string, error: unknown, fields: Record<string, unknown> = {}): void {
    this.#abilities.logger.warn(message, {
      executionId: this.#request.executionId,
      ...(error !== undefined && { error }),
      ...fields,
    });
  }
}

/** Decodes output to text, including characters split across chunks. */
class OutputText {
  readonly #abilities: RunAbilities;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };

  constructor(abilities: RunAbilities) {
    this.#abilities = abilities;
  }

  pass(stream: OutputStream, chunk: Buffer): void | Promise<void> {
    return this.#hand(stream, this.#decoders[stream].write(chunk));
  }

  async finish(): Promise<void> {
    await this.#hand('stdout', this.#decoders.stdout.end());
    await this.#hand('stderr', this.#decoders.stderr.end());
  }

  #hand(stream: OutputStream, text: string): void | Promise<void> {
    if (text !== '') return this.#abilities.output(stream, text);
  }
}

/** Facts about an execution that its action receives. */
export interface ActionFacts {
  readonly pack: string;
  readonly executionId: string;
  /** Ends in `/v1`. */
  readonly apiUrl: string;
  /** Absent when the execution has no user. */
  readonly authToken?: string;
  readonly debug?: boolean;
  /** The span of the run, for programs that continue it. Absent while OpenTelemetry is off. */
  readonly span?: SpanCarrier;
}

/** This variable identifies all processes of an execution, including detached ones. */
export const EXECUTION_MARKER = 'SVC_ACTION_EXECUTION_ID';

const PREFIXES = ['SVC', 'ST2'] as const;

/** The environment variables of an action, with the prefixes of this product and of the reference. */
export function actionEnvironment(facts: ActionFacts): Record<string, string> {
  const variables: Record<string, string> = {
    ACTION_PACK_NAME: facts.pack,
    ACTION_EXECUTION_ID: facts.executionId,
    ACTION_API_URL: facts.apiUrl,
    ACTION_DEBUG: facts.debug === true ? 'True' : 'False',
    ...(facts.authToken !== undefined && { ACTION_AUTH_TOKEN: facts.authToken }),
  };
  return {
    ...Object.fromEntries(
      PREFIXES.flatMap((prefix) => Object.entries(variables).map(([name, value]) => [`${prefix}_${name}`, value])),
    ),
    ...spanVariables(facts.span),
  };
}

/** The names that OpenTelemetry recommends. An empty state replaces one that the service has inherited. */
const spanVariables = (span: SpanCarrier | undefined): Record<string, string> =>
  span ? { TRACEPARENT: span.traceparent, TRACESTATE: span.tracestate ?? '' } : {};
