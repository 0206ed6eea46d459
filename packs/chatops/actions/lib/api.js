'use strict';

/**
 * Reads a record through the API, as the user of the execution.
 * @returns undefined when there is none
 */
async function find(kind, id) {
  const url = `${process.env.SVC_ACTION_API_URL}/${kind}/${encodeURIComponent(id)}`;
  const answer = await fetch(url, { headers: { 'x-auth-token': process.env.SVC_ACTION_AUTH_TOKEN ?? '' } });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`The API responded with status ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

module.exports = { find };
