import { fault, messageOf } from '@switchyard/base';
import { Allowance } from '../allowance';
import { JinjaError, NothingToDecrypt, type Context, type JinjaErrorKind } from '../jinja';
import { DatastoreReader, type ParametersInput, readsSecret } from './input';
import { parameterOf, type ParameterNode, renderingOrder } from './nodes';
import type { RenderEach } from './value-template';

export interface RenderedNodes {
  /** The value of every node, with or without templates. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Parameters not marked secret whose templates read a secret of a parameter or the configuration, directly or through
   * others, or decrypt a datastore item; and those that are secret to begin with.
   */
  readonly derivedSecrets: string[];
}

/** Renders the nodes in dependency order. @throws fault `expression.*` (400) */
export const renderNodes = (nodes: ReadonlyMap<string, ParameterNode>, input: RenderingInput): Promise<RenderedNodes> =>
  renderInOrder(nodes, renderingOrder(nodes), input);

export interface RenderingInput extends Pick<ParametersInput, 'lookup' | 'cast' | 'allowance'> {
  /** Names of nodes without templates whose values are secret although they are not marked. */
  readonly secret?: readonly string[];
}

/** @param order the nodes with templates, each after those it reads @throws fault `expression.render-failed` (400) */
export async function renderInOrder(
  nodes: ReadonlyMap<string, ParameterNode>,
  order: readonly ParameterNode[],
  input: RenderingInput,
): Promise<RenderedNodes> {
  const values = record([...nodes.values()].map(({ name, value }) => [name, value]));
  const derived = new Set<string>(input.secret);
  if (order.length === 0) return { values, derivedSecrets: unmarked(derived, nodes) };
  const seen = record(Object.entries(values));
  const reader = new DatastoreReader(input.lookup ?? (() => Promise.resolve(undefined)));
  const work = input.allowance ?? new Allowance();
  const each: RenderEach = async (render) => {
    await work.rest();
    return reader.supply(() => work.run(() => render(seen, { datastore: reader.read })));
  };
  for (const node of order) {
    const secrecy = secrecyOf(node, nodes, { seen, derived });
    if (secrecy !== 'none') derived.add(node.name);
    const value = await renderNode(node, secrecy, each);
    values[node.name] = value;
    seen[node.name] = castForOthers(node.name, value, input.cast);
  }
  return { values, derivedSecrets: unmarked(derived, nodes) };
}

const unmarked = (derived: ReadonlySet<string>, nodes: ReadonlyMap<string, ParameterNode>): string[] =>
  [...derived].filter((name) => !isMarked(nodes.get(name))).map(parameterOf);

/** Whether its whole value is hidden already. */
const isMarked = (node: ParameterNode | undefined): boolean =>
  node?.secretsIn(null).some((path) => path.length === 0) === true;

/** Which secrets a rendered value may contain: none, only a decrypted datastore item, or those of other values. */
type Secrecy = 'none' | 'item' | 'values';

/** @param known values of the nodes it reads, and which of them had secrets copied into them */
function secrecyOf(
  { template }: ParameterNode,
  nodes: ReadonlyMap<string, ParameterNode>,
  { seen, derived }: { seen: Context; derived: ReadonlySet<string> },
): Secrecy {
  if (template === undefined) return 'none';
  const copies = template.reads.some(([name, ...steps]) => {
    const secrets = nodes.get(name)?.secretsIn(seen[name]) ?? [];
    return derived.has(name) || readsSecret(steps, seen[name], secrets);
  });
  if (copies) return 'values';
  return template.decrypts ? 'item' : 'none';
}

async function renderNode(
  { name, template, value }: ParameterNode,
  secrecy: Secrecy,
  each: RenderEach,
): Promise<unknown> {
  if (template === undefined) return value;
  try {
    return await template.render(each);
  } catch (error) {
    if (error instanceof JinjaError && mayTell(error, secrecy))
      throw failed(name, `${error.kind} (details are hidden because the template reads a secret)`);
    throw failed(name, messageOf(error), { cause: error });
  }
}

/** These errors quote only the template; others may quote values. */
const ABOUT_TEXT: readonly JinjaErrorKind[] = ['TemplateSyntaxError', 'TemplateAssertionError'];

/** Whether the message may contain a secret. */
function mayTell(error: JinjaError, secrecy: Secrecy): boolean {
  if (secrecy === 'none' || ABOUT_TEXT.includes(error.kind)) return false;
  return secrecy === 'values' || !(error instanceof NothingToDecrypt);
}

const failed = (node: string, cause: string, options?: ErrorOptions): Error =>
  fault('expression.render-failed', { name: parameterOf(node), cause }, options);

/** A value that cannot be cast is passed to other templates as is; the cast of the result reports the error. */
function castForOthers(name: string, value: unknown, cast: ParametersInput['cast']): unknown {
  if (cast === undefined) return value;
  try {
    return cast(name, value);
  } catch {
    return value;
  }
}

/** Without a prototype, as names come from users. */
function record(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) result[name] = value;
  return result;
}
