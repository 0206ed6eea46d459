import { messageOf } from '@switchyard/base';
import { allowance } from '../allowance';
import { Interruption, UNRESOLVED, ExpressionError } from '../evaluate/scope';
import type { Evaluation, HostQuestion } from '../turns/evaluation';
import { RenderBudget as JinjaBudget } from '../jinja/run/budget';
import { JinjaError } from '../jinja/values/jinja-error';
import { expressionError } from '../yaql/expression-error';
import { YaqlBudget, DEFAULT_YAQL_LIMITS, memoryExceeded } from '../yaql/run/budget';
import { jobOf, leftOf, OnlyHere } from './job';
import type { HostAnswer, Outcome } from './messages';
import type { ThreadMessage, Thread } from './thread';
import { threadPool, type ThreadPool } from './thread-pool';
import { fromWire, toWire } from './wire-error';

interface Ended {
  readonly failed: boolean;
  /** The value, or the error. */
  readonly outcome: unknown;
  readonly steps: number;
  readonly ms: number;
}

/** `asks`: the host must answer a question; `impossible`: the input cannot be sent to a thread. */
type ThreadStep = 'asks' | 'impossible' | Ended;

/** Each question costs one more attempt. */
const MOST_QUESTIONS = 1_000;

/** One evaluation in a thread. It pauses at each question for the host. */
export class ThreadEvaluation {
  private thread: Thread | undefined;
  private question: HostQuestion | undefined;
  private reply: HostAnswer | undefined;
  private readonly hostErrors = new Map<number, unknown>();
  private readonly budget;
  private readonly allowanceLeft;
  private workedMs = 0;
  private questions = 0;

  constructor(
    readonly evaluation: Evaluation,
    private readonly pool: Pick<ThreadPool, 'borrow' | 'giveBack'> = threadPool,
  ) {
    this.budget = budgetOf(evaluation);
    this.allowanceLeft = leftOf(allowance());
  }

  /** Runs to the next question or to the end. @throws fault `expression.busy` */
  async proceed(): Promise<ThreadStep> {
    // Yield first: the message may be large, and a slice of work has just ended.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return this.stepOf(await this.send());
    } catch (error) {
      this.cancel();
      if (error instanceof OnlyHere || (error as Partial<DOMException> | null)?.name === 'DataCloneError')
        return 'impossible';
      throw error;
    }
  }

  /** Asks the host on behalf of the thread. @throws Interruption */
  answer(ask: (question: HostQuestion) => unknown): void {
    if (this.question === undefined) return;
    this.reply = this.replyTo(this.question, ask);
    this.question = undefined;
  }

  /** Stops the evaluation; its result is no longer needed. */
  cancel(): void {
    this.thread?.end();
    this.release();
  }

  private async send(): Promise<ThreadMessage> {
    const leftMs = this.budget.mostMs - this.workedMs;
    if (this.thread !== undefined && this.reply !== undefined) return this.thread.reply(this.reply, leftMs);
    const job = jobOf(this.evaluation, this.allowanceLeft);
    const thread = await this.pool.borrow();
    this.thread = thread;
    // The thread failed to start.
    if (!thread.isAlive) throw new OnlyHere();
    return thread.begin(job, leftMs);
  }

  private stepOf(heard: ThreadMessage): ThreadStep {
    if (heard.kind === 'asks') {
      this.question = heard.question;
      this.workedMs = heard.ms;
      this.questions += 1;
      if (this.questions <= MOST_QUESTIONS) return 'asks';
      this.cancel();
      return this.failed(askedTooOften(MOST_QUESTIONS));
    }
    this.release();
    if (heard.kind === 'outcome') return this.ended(heard);
    return this.failed(
      heard.kind === 'overtime' ? this.budget.overtime() : threadDied(this.evaluation, 'error' in heard && heard.error),
    );
  }

  private ended({ answer, steps, ms }: Outcome): Ended {
    if ('unresolved' in answer) return { failed: false, outcome: UNRESOLVED, steps, ms };
    if ('value' in answer) return { failed: false, outcome: answer.value, steps, ms };
    return { failed: true, outcome: fromWire(answer.error, this.hostErrors), steps, ms };
  }

  private failed(error: Error): Ended {
    return { failed: true, outcome: error, steps: 0, ms: this.budget.mostMs };
  }

  private replyTo(question: HostQuestion, ask: (question: HostQuestion) => unknown): HostAnswer {
    try {
      return { value: ask(question) };
    } catch (error) {
      if (error instanceof Interruption) throw error;
      const origin = this.hostErrors.size;
      this.hostErrors.set(origin, error);
      return { error: { ...toWire(error), origin } };
    }
  }

  private release(): void {
    if (this.thread) this.pool.giveBack(this.thread);
    this.thread = undefined;
  }
}

/** The time limit of an evaluation, and the error for exceeding it. */
interface TimeBudget {
  readonly mostMs: number;
  readonly overtime: () => Error;
}

function budgetOf(evaluation: Evaluation): TimeBudget {
  const { language, source } = evaluation;
  if (language === 'yaql') {
    const budget = new YaqlBudget({ ...DEFAULT_YAQL_LIMITS, ...evaluation.limits });
    return { mostMs: budget.mostMs, overtime: () => expressionError(budget.overtime(), source) };
  }
  const budget = new JinjaBudget(language === 'template' ? evaluation.options.limits : undefined);
  return { mostMs: budget.mostMs, overtime: () => budget.overtime() };
}

/** The error for an evaluation with too many questions to the host. */
const askedTooOften = (most: number): Error =>
  new ExpressionError('ExpressionEvaluationException', `One evaluation may read at most ${most} values.`, '');

/** The error for an evaluation of which the thread died. The only known cause is a lack of memory. */
function threadDied({ language, source }: Evaluation, reason: unknown): Error {
  if ((reason as NodeJS.ErrnoException | undefined)?.code !== 'ERR_WORKER_OUT_OF_MEMORY')
    return new Error(`An expression thread stopped unexpectedly: ${messageOf(reason)}`, { cause: reason });
  if (language === 'yaql') return expressionError(memoryExceeded(reason), source);
  return new JinjaError('BudgetError', 'The template exceeds its memory limit.', { cause: reason });
}
