'use strict';

// A small chat bot on StackStorm's client for JavaScript. Reads one command per line from its input, and prints the
// messages that it would post in a chat. A command belongs to the alias whose format starts with the same word.

const { createInterface } = require('node:readline');
const st2client = require('st2client');

const { ST2_API_URL, ST2_AUTH_URL, ST2_STREAM_URL, ST2_AUTH_USERNAME, ST2_AUTH_PASSWORD } = process.env;
const USER = { user: 'Shell', source_channel: 'Shell', notification_route: 'hubot' };
const post = (text) => console.log(text);
const firstWord = (text) => text.split(' ')[0];

async function main() {
  const api = st2client({ api: ST2_API_URL, auth: ST2_AUTH_URL, stream: ST2_STREAM_URL });
  api.setToken(await api.authenticate(ST2_AUTH_USERNAME, ST2_AUTH_PASSWORD));
  const stream = await api.stream.listen();
  stream.addEventListener('st2.announcement__chatops', ({ data }) => {
    const { user, message } = JSON.parse(data).payload;
    post(user ? `${user}: ${message}` : message);
  });
  await new Promise((resolve) => stream.addEventListener('open', resolve, { once: true }));
  const aliases = await api.actionAlias.list({ limit: -1 });
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'help') for (const { formats, description } of aliases) post(`${formats[0]} - ${description}`);
    else void answer(api, aliases, line);
  });
  post(`${aliases.length} commands are loaded`);
}

async function answer(api, aliases, command) {
  const alias = aliases.find(({ formats }) => firstWord(formats[0]) === firstWord(command));
  if (alias === undefined) return;
  const { name, formats } = alias;
  try {
    const { message, execution } = await api.aliasExecution.create({ name, format: formats[0], command, ...USER });
    post(message ?? `The execution is ${execution.id}.`);
  } catch (error) {
    post(`Shell: ${error.message}`);
  }
}

void main();
