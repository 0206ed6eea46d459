import { messageOf } from '@switchyard/base';
import { inTurns, renderText, type Context } from '@switchyard/expressions';
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
export async function acknowledge({ ack }: Pick<ActionAliasRecord, 'ack'>, context: Context): Promise<Acknowledgement> {
  const { format, extra } = ack;
  const said: Acknowledgement = {};
  if (typeof format === 'string') said.message = await rendered('format', () => renderText(format, context));
  if (extra) said.extra = await rendered('extra', () => renderEach(extra, context));
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
