#!/usr/bin/env node
// `svc-healthcheck NAME`: exits with 0 if the service NAME in this container reports that it is alive, otherwise with 1. It reads
// the configuration of the service to find the port.
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

const name = process.argv[2] ?? '';
if (!Object.hasOwn(listeners, name)) {
  console.error(`Usage: svc-healthcheck NAME, with one of: ${Object.keys(listeners).join(', ')}`);
  process.exit(2);
}
const { host, port, tls = false } = listeners[name](loadConfig({ environment: process.env }).config);
if (port === 0) end(1, `${name} has no health port: see health_port in its section of the configuration`);
// A service that listens on all addresses also listens on this one.
const hostname = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
const get = tls ? https.get : http.get;
// The certificate is for the public name, and this request stays inside the container.
get({ hostname, port, path: '/healthz', timeout: TIMEOUT_MS, rejectUnauthorized: false }, ({ statusCode }) =>
  end(statusCode === 200 ? 0 : 1, `${name} answers ${statusCode}`),
)
  .on('timeout', () => end(1, `${name} does not answer within ${TIMEOUT_MS} ms`))
  .on('error', ({ message }) => end(1, `${name} does not answer: ${message}`));

function end(code, text) {
  console.log(text);
  process.exit(code);
}
