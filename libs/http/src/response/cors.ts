const METHODS = 'GET,POST,PUT,DELETE,OPTIONS';
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-Auth-Token', 'Svc-Api-Key', 'X-Request-ID'];
/** Allowed, too, but only listed in the response to a browser that asks for them. */
const FURTHER_REQUEST_HEADERS = ['Idempotency-Key', 'Svc-Trace-Tag', 'St2-Trace-Tag', 'If-None-Match', 'Last-Event-ID'];
const EXPOSED = 'Content-Type,X-Limit,X-Total-Count,X-Request-ID';

/** Always allowed besides the configured origins: the web console on a developer's machine. */
export const LOCAL_ORIGINS = ['http://127.0.0.1:3000', 'http://localhost:8080', 'http://127.0.0.1:8080'];

export interface CorsRequest {
  readonly origin: string | undefined;
  /** `Access-Control-Request-Headers` of a preflight. */
  readonly asked: string | undefined;
}

/** The CORS headers of all responses, including errors. @param allowed configured origins; `*` for any */
export function cors(allowed: readonly string[]): (request: CorsRequest) => Record<string, string> {
  const origins = [...new Set([...allowed.filter((origin) => origin !== '*'), ...LOCAL_ORIGINS])];
  const known = new Set(origins);
  const any = allowed.includes('*');
  const first = origins[0] as string;
  return ({ origin, asked }) => ({
    'Access-Control-Allow-Origin': origin !== undefined && (any || known.has(origin)) ? origin : first,
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': asked === undefined ? REQUEST_HEADERS.join(',') : allowedHeaders(asked),
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  });
}

/** The value of Access-Control-Expose-Headers with an additional header, for the few responses that have it. */
export const exposed = (header: string): string => `${EXPOSED},${header}`;

function allowedHeaders(asked: string): string {
  const wanted = asked
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const usual = REQUEST_HEADERS.map((name) =>
    name === 'Svc-Api-Key' && wanted.includes('st2-api-key') ? 'St2-Api-Key' : name,
  );
  return [...usual, ...FURTHER_REQUEST_HEADERS.filter((name) => wanted.includes(name.toLowerCase()))].join(',');
}
