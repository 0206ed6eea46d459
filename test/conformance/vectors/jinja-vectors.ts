import { JinjaError, renderText } from '@switchyard/expressions';
import { answerOf, difference } from './compare';
import { filesOf, linesOf } from './vector-files';
import type { Vector, VectorKind } from './vector-kind';

interface TemplateLine {
  readonly template: string;
  readonly result?: string;
  readonly error?: string;
}

/** The first line of a file contains the context for all others. */
export const jinjaVectors: VectorKind = {
  name: 'jinja',
  files: (folder) => filesOf(folder, /^jinja/),
  read: (folder, file) => {
    const [head, ...lines] = linesOf(folder, file);
    const { context } = head as { context: Record<string, unknown> };
    return (lines as TemplateLine[]).map((line) => vector(line, context));
  },
};

const vector = ({ template, result, error }: TemplateLine, context: Record<string, unknown>): Vector => ({
  key: template,
  check: () =>
    difference(
      error === undefined ? { value: result } : { refused: error },
      answerOf(() => renderText(template, context), isRefusal),
    ),
});

const isRefusal = (thrown: unknown): thrown is Error => thrown instanceof JinjaError;
