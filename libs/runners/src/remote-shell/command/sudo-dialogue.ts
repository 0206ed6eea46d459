import { randomHex } from '@switchyard/base';
import type { OutputStream } from '@switchyard/subprocess';
import type { SudoMarks } from './command-line';

/** What is to be done after some output of sudo: nothing, tell the password, begin, or give up. */
export type SudoStep = 'wait' | 'password' | 'begin' | 'refused';

/**
 * Follows what sudo says before it lets a command through. It asks for the password at most once: its second question
 * means that the first answer was wrong, and any further line would be taken for another try.
 */
export class SudoDialogue {
  readonly marks: SudoMarks = { prompt: `[svc-${randomHex(8)}]`, ready: `svc-ready-${randomHex(8)}` };
  readonly #heard: Record<OutputStream, string> = { stdout: '', stderr: '' };
  #questions = 0;
  isOver = false;

  /** @returns what to do, and the output that is the command's own */
  hear(stream: OutputStream, chunk: Buffer): { readonly step: SudoStep; readonly rest: Buffer } {
    if (this.isOver) return { step: 'wait', rest: chunk };
    // Byte by byte, so that what follows the mark is not changed by being read as text.
    const heard = this.#heard[stream] + chunk.toString('latin1');
    const step = this.#step(heard);
    const { prompt, ready } = this.marks;
    const cleaned = heard.replaceAll(prompt, '').replace(new RegExp(`${ready}\\r?\\n`), '');
    const held = this.isOver ? 0 : unfinished(cleaned, [prompt, ready]);
    this.#heard[stream] = cleaned.slice(cleaned.length - held);
    return { step, rest: Buffer.from(cleaned.slice(0, cleaned.length - held), 'latin1') };
  }

  #step(heard: string): SudoStep {
    if (heard.includes(`${this.marks.ready}\n`) || heard.includes(`${this.marks.ready}\r\n`)) {
      this.isOver = true;
      return 'begin';
    }
    if (!heard.includes(this.marks.prompt)) return 'wait';
    this.#questions++;
    return this.#questions > 1 ? 'refused' : 'password';
  }

  /** What was held back when it ends without a beginning. */
  rest(stream: OutputStream): Buffer {
    const rest = Buffer.from(this.#heard[stream], 'latin1');
    this.#heard[stream] = '';
    return rest;
  }
}

/** How much at the end may be the beginning of one of the marks. */
function unfinished(text: string, marks: readonly string[]): number {
  for (let length = Math.min(text.length, 40); length > 0; length--) {
    const end = text.slice(-length);
    if (marks.some((mark) => mark.startsWith(end) || end === mark || end === `${mark}\r`)) return length;
  }
  return 0;
}
