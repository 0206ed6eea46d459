import type { DataLimits } from '@switchyard/base';
import { jsonBody, type RouteRequest } from '@switchyard/http';
import { compileSchema } from '@switchyard/model';

type Body = Record<string, unknown> | unknown[];

const shape = compileSchema({ type: ['object', 'array'], secret: true });

/**
 * Parses the body of a webhook request. Accepts JSON that is labeled as plain text.
 * @throws Fault `request.body`, `data.limit`, `data.key`, `schema.violated`
 */
export async function webhookBody(
  { body, headers }: Pick<RouteRequest, 'body' | 'headers'>,
  limits: DataLimits,
): Promise<Body> {
  const plain = typeof body === 'string' && headers['content-type']?.trim().toLowerCase().startsWith('text/plain');
  return shape.assert(plain ? await jsonBody(body, limits) : body) as Body;
}
