import { parser } from 'sax';

/** A response has a few hundred elements, and one for each group. */
const MOST_ELEMENTS = 2000;
const DEEPEST = 100;
const MOST_ATTRIBUTES = 100;
const MALFORMED = 'is not well-formed XML';

/**
 * Reads XML in time that grows with its length. The parser that builds a tree of it takes minutes for deep nesting, and mends what is
 * not well-formed. Entities could be expanded to a large text, or read files, and SAML needs no document type.
 * @returns what is wrong, undefined if nothing is
 */
export function markupProblem(xml: string): string | undefined {
  const reader = parser(true);
  const nodes = { count: 0, depth: 0, roots: 0 };
  const end = (problem: string): never => {
    throw new MarkupProblem(problem);
  };
  const count = (): void => {
    nodes.count += 1;
    if (nodes.count > MOST_ELEMENTS) end(`has more than ${MOST_ELEMENTS} elements`);
  };
  reader.onerror = () => end(MALFORMED);
  reader.ondoctype = () => end('has a document type, which is not accepted');
  reader.oncomment = count;
  reader.onopentag = ({ attributes }) => {
    count();
    if (nodes.depth === 0 && ++nodes.roots > 1) end(MALFORMED);
    nodes.depth += 1;
    if (nodes.depth > DEEPEST) end(`is nested more than ${DEEPEST} levels deep`);
    if (Object.keys(attributes).length > MOST_ATTRIBUTES) end('has an element with too many attributes');
  };
  reader.onclosetag = () => void (nodes.depth -= 1);
  try {
    reader.write(xml).close();
    return undefined;
  } catch (error) {
    if (error instanceof MarkupProblem) return error.message;
    throw error;
  }
}

class MarkupProblem extends Error {}
