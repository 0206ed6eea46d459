#!/usr/bin/env node
// `svc-healthcheck NAME[,NAME…]`: exits with 0 if these services in this container report that they are alive, otherwise with 1. It
// reads the configuration of the services to find their ports.
import http from 'node:http';
import https from 'node:https';
import { loadConfig } from '@switchyard/config';

const TIMEOUT_MS = 4000;

/** The address of each service. */
const listeners = {
  api: ({ api }) => api,
  auth: ({ auth }) => ({ ...auth, tls: auth.use_ssl }),
  stream: ({ stream }) => stream,
  scheduler: ({ api, scheduler }) => ({ host: api.host, port: scheduler.health_port }),
  'action-runner': ({ api, actionrunner }) => ({ host: api.host, port: actionrunner.health_port }),
  'rules-engine': ({ api, rulesengine }) => ({ host: api.host, port: rulesengine.health_port }),
  timers: ({ api, timersengine }) => ({ host: api.host, port: timersengine.health_port }),
  'workflow-engine': ({ api, workflow_engine }) => ({ host: api.host, port: workflow_engine.health_port }),
  'garbage-collector': ({ api, garbagecollector }) => ({ host: api.host, port: garbagecollector.health_port }),
  'sensor-container': ({ api, sensorcontainer }) => ({ host: api.host, port: sensorcontainer.health_port }),
  notifier: ({ api, notifier }) => ({ host: api.host, port: notifier.health_port }),
};

const names = (process.argv[2] ?? '').split(',');
if (names.some((name) => !Object.hasOwn(listeners, name))) {
  console.error(`Usage: svc-healthcheck NAME[,NAME...], with names from: ${Object.keys(listeners).join(', ')}`);
  process.exit(2);
}
const { config } = loadConfig({ environment: process.env });
const reports = await Promise.all(names.map((name) => check(name, listeners[name](config))));
for (const { text } of reports) console.log(text);
process.exit(reports.every(({ good }) => good) ? 0 : 1);

/** Asks a service whether it is alive. */
function check(name, { host, port, tls = false }) {
  if (port === 0)
    return { good: false, text: `${name} has no health port: see health_port in its section of the configuration` };
  // A service that listens on all addresses also listens on this one.
  const hostname = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const get = tls ? https.get : http.get;
  // The certificate is for the public name, and this request stays inside the container.
  const options = { hostname, port, path: '/healthz', timeout: TIMEOUT_MS, rejectUnauthorized: false };
  return new Promise((resolve) => {
    get(options, ({ statusCode }) => resolve({ good: statusCode === 200, text: `${name} answers ${statusCode}` }))
      .on('timeout', () => resolve({ good: false, text: `${name} does not answer within ${TIMEOUT_MS} ms` }))
      .on('error', ({ message }) => resolve({ good: false, text: `${name} does not answer: ${message}` }));
  });
}
