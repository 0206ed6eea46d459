import { allowance } from '../allowance';
import { Interruption } from '../evaluate/scope';
import { UNRESOLVED } from '../evaluate/unresolved';
import type { Evaluation, Question } from '../turns/evaluation';
import { askedTooOften, budgetOf, threadDied } from './broken-off';
import { jobOf, leftOf, OnlyHere } from './job';
import type { Answer, Outcome } from './messages';
import type { Heard, Thread } from './thread';
import { threadPool } from './thread-pool';
import { fromWire, toWire } from './wire-error';

export interface Ended {
  readonly failed: boolean;
  /** The value, or the error. */
  readonly outcome: unknown;
  readonly steps: number;
  readonly ms: number;
}

/** `asks`: the host is to be asked; `impossible`: a thread cannot do it, because of what it would have to be given. */
export type Step = 'asks' | 'impossible' | Ended;

/** Each question costs one more attempt of the work. */
const MOST_QUESTIONS = 1_000;

/** One evaluation in a thread, which stops where the host has to be asked. */
export class ThreadEvaluation {
  private thread: Thread | undefined;
  private question: Question | undefined;
  private reply: Answer | undefined;
  private readonly hostErrors = new Map<number, unknown>();
  private readonly budget;
  private readonly allowanceLeft;
  private workedMs = 0;
  private questions = 0;

  constructor(readonly evaluation: Evaluation) {
    this.budget = budgetOf(evaluation);
    this.allowanceLeft = leftOf(allowance());
  }

  /** To the next question, or the end. @throws fault `expression.busy` */
  async proceed(): Promise<Step> {
    // What it sends may be large, and comes after a slice of work.
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

  /** Asks the host in the name of the thread. @throws Interruption */
  answer(ask: (question: Question) => unknown): void {
    if (this.question === undefined) return;
    this.reply = this.replyTo(this.question, ask);
    this.question = undefined;
  }

  /** Nobody waits for it any more. */
  cancel(): void {
    this.thread?.end();
    this.release();
  }

  private async send(): Promise<Heard> {
    const leftMs = this.budget.mostMs - this.workedMs;
    if (this.thread !== undefined && this.reply !== undefined) return this.thread.reply(this.reply, leftMs);
    const job = jobOf(this.evaluation, this.allowanceLeft);
    const thread = await threadPool.borrow();
    this.thread = thread;
    // It did not come up.
    if (!thread.isAlive) throw new OnlyHere();
    return thread.begin(job, leftMs);
  }

  private stepOf(heard: Heard): Step {
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

  private replyTo(question: Question, ask: (question: Question) => unknown): Answer {
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
    if (this.thread) threadPool.giveBack(this.thread);
    this.thread = undefined;
  }
}
