import { microsToIso, type Micros } from '@switchyard/base';
import { Interruption, renderText, withReads, type DatastoreLookup, type RenderOptions } from '@switchyard/expressions';
import {
  DEFAULT_NOTIFY_ROUTE,
  isFailure,
  type ExecutionRecord,
  type NotifySection,
  type NotifySpec,
} from '@switchyard/model';
import { executionKey, NOTIFY_TRIGGER, type DispatchRequest } from '@switchyard/triggers';

export type SectionName = keyof NotifySpec;

const VERB: Readonly<Record<SectionName, string>> = {
  'on-complete': 'completed',
  'on-success': 'succeeded',
  'on-failure': 'failed',
};

/** The sections of a notify specification that apply to an ended execution. */
export function sectionsFor({ status }: Pick<ExecutionRecord, 'status'>, notify: NotifySpec = {}): SectionName[] {
  const wanted: SectionName[] = ['on-complete'];
  if (status === 'succeeded') wanted.push('on-success');
  if (isFailure(status)) wanted.push('on-failure');
  return wanted.filter((name) => notify[name] !== undefined);
}

/** The message and data of a section after rendering. */
interface RenderedSection {
  message: string;
  data: Record<string, unknown>;
}

export const defaultMessage = (record: Pick<ExecutionRecord, 'action_ref'>, section: SectionName): string =>
  `Action ${record.action_ref} ${VERB[section]}.`;

/** The routes of a section, without duplicates. Older metadata calls them `channels`. */
export function routesOf({ routes, channels }: NotifySection & { channels?: readonly string[] }): (string | null)[] {
  const named = routes?.length ? routes : (channels ?? []);
  return named.length > 0 ? [...new Set(named)] : [DEFAULT_NOTIFY_ROUTE];
}

/**
 * The request for one route. The request key makes a second attempt at the same notification find the first one.
 * @param now end time for an execution that has none
 */
export const notification = (
  record: ExecutionRecord,
  { section, route }: { section: SectionName; route: string | null },
  rendered: RenderedSection,
  now: Micros,
): DispatchRequest => ({
  trigger: NOTIFY_TRIGGER,
  payload: {
    ...rendered,
    execution_id: record._id,
    status: record.status,
    start_timestamp: microsToIso(record.start_timestamp),
    end_timestamp: microsToIso(record.end_timestamp ?? now),
    action_ref: record.action_ref,
    runner_ref: record.runner_name,
    route,
    channel: route,
  },
  requestKey: executionKey(record._id, section, String(route)),
  validate: false,
});

export interface SectionContext {
  action_parameters: Record<string, unknown>;
  action_context: Record<string, unknown>;
  action_results: unknown;
}

export interface Rendering {
  /** Stands for a missing or empty message. */
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
  const roots = { __context: context, ...context };
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
  const text = message || fallback;
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
  if (typeof value === 'string') return renderText(value, roots, options);
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, roots, options));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderDeep(item, roots, options)]));
}
