import { renderNative, renderText } from '@switchyard/expressions';
import type { NotifySection } from '@switchyard/model';
import type { RenderedSection } from './notification';

export interface SectionContext {
  action_parameters: Record<string, unknown>;
  action_context: Record<string, unknown>;
  action_results: unknown;
}

/**
 * Renders the message and the data of a section. What cannot be rendered is passed on as it was written: a
 * notification with a template in it is better than none.
 */
export function renderSection(
  { message, data = {} }: NotifySection,
  fallback: string,
  context: SectionContext,
  onError: (error: unknown) => void,
): RenderedSection {
  const roots = { ...context };
  const attempt = <T>(render: () => T, raw: T): T => {
    try {
      return render();
    } catch (error) {
      onError(error);
      return raw;
    }
  };
  const text = message ?? fallback;
  const result = context.action_results ?? {};
  return {
    message: attempt(() => renderText(text, roots), text),
    data: {
      ...(attempt(() => renderDeep(data, roots), data) as Record<string, unknown>),
      result: attempt(() => renderText(SPACED_JSON, { result }), JSON.stringify(result)),
    },
  };
}

/** Rules compare this text: its layout is part of the interface. */
const SPACED_JSON = "{{ result | to_json_string(separators=(', ', ': ')) }}";

function renderDeep(value: unknown, roots: Record<string, unknown>): unknown {
  if (typeof value === 'string') return renderNative(value, roots);
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, roots));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderDeep(item, roots)]));
}
