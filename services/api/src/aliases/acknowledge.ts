import { messageOf } from '@switchyard/base';
import { renderText, type Context } from '@switchyard/expressions';
import type { ActionAliasRecord } from '@switchyard/model';

/** What a chat bot says about a command that was taken, as far as the alias has a say in it. */
export interface Acknowledgement {
  message?: string;
  extra?: unknown;
}

/**
 * Renders `ack.format` and `ack.extra` of an alias. What cannot be rendered says so in its place: the execution is under way.
 * @param context what the templates see; it may be posted for everybody to read
 */
export function acknowledge({ ack }: Pick<ActionAliasRecord, 'ack'>, context: Context): Acknowledgement {
  const { format, extra } = ack;
  return {
    ...(typeof format === 'string' ? { message: rendered('format', () => renderText(format, context)) as string } : {}),
    ...(extra ? { extra: rendered('extra', () => renderEach(extra, context)) } : {}),
  };
}

function rendered(member: string, render: () => unknown): unknown {
  try {
    return render();
  } catch (error) {
    return `Cannot render "${member}" in field "ack" for alias. ${messageOf(error)}`;
  }
}

function renderEach(value: unknown, context: Context): unknown {
  if (typeof value === 'string') return renderText(value, context);
  if (Array.isArray(value)) return value.map((item) => renderEach(item, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renderEach(item, context)]));
}
