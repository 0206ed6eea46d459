import { messageOf } from '@switchyard/base';
import { inTurns, renderText, type Context } from '@switchyard/expressions';
import type { ActionAliasRecord } from '@switchyard/model';

/** The parts of a chat bot's acknowledgment that the alias defines. */
export interface Acknowledgement {
  message?: string;
  extra?: unknown;
}

/**
 * Renders `ack.format` and `ack.extra` of an alias. The execution has already been requested, so a part that cannot be
 * rendered is replaced by its error.
 * @param context the values for the templates; the result may be posted publicly
 */
export async function acknowledge({ ack }: Pick<ActionAliasRecord, 'ack'>, context: Context): Promise<Acknowledgement> {
  const { format, extra } = ack;
  const names = { __context: context, ...context };
  const said: Acknowledgement = {};
  if (typeof format === 'string') said.message = await rendered('format', () => renderText(format, names));
  if (extra) said.extra = await rendered('extra', () => renderEach(extra, names));
  return said;
}

async function rendered<T>(member: string, render: () => T): Promise<T | string> {
  try {
    return await inTurns(render);
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
