import { randomHex } from '@switchyard/base';
import type { OutputStream } from '@switchyard/subprocess';
import type { SudoMarks } from './command-text';

/** The next step after output of sudo: wait, send the password, begin, or give up. */
export type SudoStep = 'wait' | 'password' | 'begin' | 'refused';

/**
 * Follows the output of sudo until the command starts. Answers the password prompt once: a second prompt means that the
 * password was wrong, and any further line would count as another attempt.
 */
export class SudoDialogue {
  readonly marks: SudoMarks = { prompt: `[svc-${randomHex(8)}]`, ready: `svc-ready-${randomHex(8)}` };
  readonly #heard: Record<OutputStream, string> = { stdout: '', stderr: '' };
  #questions = 0;
  isOver = false;

  /** @returns the next step, and the output that belongs to the command */
  hear(stream: OutputStream, chunk: Buffer): { readonly step: SudoStep; readonly rest: Buffer } {
    if (this.isOver) return { step: 'wait', rest: chunk };
    // Latin-1 keeps the bytes after the mark unchanged.
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

  /** The output held back when the command never started. */
  rest(stream: OutputStream): Buffer {
    const rest = Buffer.from(this.#heard[stream], 'latin1');
    this.#heard[stream] = '';
    return rest;
  }
}

/** Length of the end of the text that may be the start of a mark. */
function unfinished(text: string, marks: readonly string[]): number {
  for (let length = Math.min(text.length, 40); length > 0; length--) {
    const end = text.slice(-length);
    if (marks.some((mark) => mark.startsWith(end) || end === mark || end === `${mark}\r`)) return length;
  }
  return 0;
}
