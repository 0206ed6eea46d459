import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gathered, type Gathered } from './gathered';

/** A span as a collector of OpenTelemetry receives it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Receives spans by OTLP over HTTP, as JSON. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: Gathered<ReceivedSpan>;
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** The status of all following responses. */
  answerWith(status: number): void;
  /** Receives requests, and responds to none before the returned function is called. */
  hold(): () => void;
  /** Waits for the spans of a trace of OpenTelemetry with these names. */
  untilTrace(traceId: string, ...names: readonly string[]): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans = gathered<ReceivedSpan>();
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 200;
  let held: Promise<void> | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ headers: request.headers, body });
      const respond = () => {
        if (status === 200) for (const span of spansIn(body)) spans.add(span);
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      };
      void (held ?? Promise.resolve()).then(respond);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const of = (traceId: string) => spans.items.filter((span) => span.traceId === traceId);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans,
    requests,
    answerWith(next) {
      status = next;
    },
    hold() {
      let release = () => undefined as void;
      held = new Promise((resolve) => (release = resolve));
      return () => {
        held = undefined;
        release();
      };
    },
    async untilTrace(traceId, ...names) {
      await spans.until(() => names.every((name) => of(traceId).some((span) => span.name === name)));
      return of(traceId);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly boolValue?: boolean;
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];
interface SentSpan extends Omit<ReceivedSpan, 'attributes' | 'hasFailed' | 'resource'> {
  readonly attributes: Attributes;
  readonly status: { readonly code: number };
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const ERROR = 2;

const spansIn = (body: string): ReceivedSpan[] =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ attributes, status, ...span }) => ({
        ...span,
        attributes: plain(attributes),
        hasFailed: status.code === ERROR,
        resource: plain(resource.attributes),
      })),
    ),
  );

const plain = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? intValue ?? boolValue,
    ]),
  );

/** The names of spans, each below that of its parent, in the order in which they began. */
export function spanTree(spans: readonly ReceivedSpan[]): string[] {
  const sorted = [...spans].sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
  const known = new Set(spans.map(({ spanId }) => spanId));
  const open = sorted.filter(({ parentSpanId = '' }) => !known.has(parentSpanId)).map((span) => ({ span, depth: 0 }));
  const lines: string[] = [];
  for (let next = open.shift(); next; next = open.shift()) {
    const { span, depth } = next;
    lines.push('  '.repeat(depth) + span.name);
    const children = sorted.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    open.unshift(...children.map((child) => ({ span: child, depth: depth + 1 })));
  }
  return lines;
}
