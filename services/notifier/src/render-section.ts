import {
  Interruption,
  renderNative,
  renderText,
  withReads,
  type DatastoreLookup,
  type RenderOptions,
} from '@switchyard/expressions';
import type { NotifySection } from '@switchyard/model';
import type { RenderedSection } from './notification';

export interface SectionContext {
  action_parameters: Record<string, unknown>;
  action_context: Record<string, unknown>;
  action_results: unknown;
}

export interface Rendering {
  /** Stands for a missing message. */
  readonly fallback: string;
  readonly context: SectionContext;
  /** Reads the datastore. When absent, templates have no datastore. */
  readonly lookup?: DatastoreLookup;
  readonly onError: (error: unknown) => void;
}

/**
 * Renders the message and the data of a section. A text that cannot be rendered is passed on as written: a notification
 * that shows a template is better than none.
 */
export async function renderSection(
  section: NotifySection,
  { lookup, onError, ...rendering }: Rendering,
): Promise<RenderedSection> {
  const { rendered, errors } = await withReads((read) => {
    const datastore: RenderOptions['datastore'] = (key) =>
      lookup && read(`${key.scope}/${key.decrypt}/${key.name}`, () => lookup(key));
    return render(section, rendering, { datastore });
  });
  errors.forEach(onError);
  return rendered;
}

function render(
  { message, data = {}, literal = false }: NotifySection,
  { fallback, context }: Pick<Rendering, 'fallback' | 'context'>,
  options: RenderOptions,
): { rendered: RenderedSection; errors: unknown[] } {
  const roots = { ...context };
  const errors: unknown[] = [];
  const attempt = <T>(work: () => T, raw: T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Interruption) throw error;
      errors.push(error);
      return raw;
    }
  };
  const text = message ?? fallback;
  const result = context.action_results ?? {};
  const rendered = {
    message: attempt(() => renderText(text, roots, options), text),
    data: {
      ...(literal ? data : (attempt(() => renderDeep(data, roots, options), data) as Record<string, unknown>)),
      result: attempt(() => renderText(SPACED_JSON, { result }), JSON.stringify(result)),
    },
  };
  return { rendered, errors };
}

/** Rules compare this text, so its layout is part of the interface. */
const SPACED_JSON = "{{ result | to_json_string(separators=(', ', ': ')) }}";

function renderDeep(value: unknown, roots: Record<string, unknown>, options: RenderOptions): unknown {
  if (typeof value === 'string') return renderNative(value, roots, options);
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, roots, options));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderDeep(item, roots, options)]));
}
