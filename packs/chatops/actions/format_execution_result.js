'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { renderText } = require('@switchyard/expressions');
const { find } = require('./lib/api');

const DEFAULT_TEMPLATE = join(__dirname, 'templates/default.j2');

/** @returns `{enabled, message, extra?}`, without a message if the alias disables its result */
module.exports = async function formatExecutionResult({ execution_id: id }) {
  const execution = await find('executions', id);
  if (execution === undefined) throw new Error(`Execution "${id}" not found.`);
  const alias = await aliasOf(execution);
  const { enabled = true, format, extra } = alias?.result ?? {};
  if (!enabled) return { enabled: false };
  const context = { execution, alias: alias ?? {} };
  return {
    enabled: true,
    message: render(format ?? readFileSync(DEFAULT_TEMPLATE, 'utf8'), context).trim(),
    ...(extra === undefined ? {} : { extra: renderEach(extra, context) }),
  };
};

/** Without an alias, or if it no longer exists, nothing is formatted. */
async function aliasOf({ context }) {
  const id = context?.action_alias_ref?.id;
  return id === undefined ? undefined : find('actionalias', id);
}

const render = (template, context) => renderText(template, context, { missing: 'lenient' });

function renderEach(value, context) {
  if (typeof value === 'string') return render(value, context);
  if (Array.isArray(value)) return value.map((item) => renderEach(item, context));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renderEach(item, context)]));
}
