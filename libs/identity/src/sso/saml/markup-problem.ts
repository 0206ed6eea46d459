import { parser } from 'sax';

/** A response has less than a hundred elements, and one for each group. The library needs some 40 µs for each. */
const MOST_ELEMENTS = 1000;
const DEEPEST = 100;
/** The most attributes of one element, and of all elements. Providers repeat declarations of namespaces in each
 * value. */
const MOST_ATTRIBUTES = 100;
const MOST_ATTRIBUTES_IN_ALL = 4000;
const MALFORMED = 'is not well-formed XML';

/**
 * Reads XML in time that grows with its length. The parser that builds a tree of it takes minutes for deep nesting, and
 * repairs malformed XML. Entities could be expanded to a large text, or read files, and SAML needs no document type.
 * @returns the problem; undefined if there is none
 */
export function markupProblem(xml: string): string | undefined {
  const reader = parser(true);
  const nodes = { count: 0, attributes: 0, depth: 0, roots: 0 };
  const end = (problem: string): never => {
    throw new MarkupProblem(problem);
  };
  const count = (): void => {
    nodes.count += 1;
    if (nodes.count > MOST_ELEMENTS) end(`has more than ${MOST_ELEMENTS} elements`);
  };
  reader.onerror = () => end(MALFORMED);
  reader.ondoctype = () => end('has a document type, which is not accepted');
  // All of these are nodes of the tree.
  reader.oncomment = count;
  reader.onopencdata = count;
  reader.onprocessinginstruction = count;
  reader.onopentag = ({ attributes }) => {
    count();
    if (nodes.depth === 0 && ++nodes.roots > 1) end(MALFORMED);
    nodes.depth += 1;
    if (nodes.depth > DEEPEST) end(`is nested more than ${DEEPEST} levels deep`);
    const given = Object.keys(attributes).length;
    nodes.attributes += given;
    if (given > MOST_ATTRIBUTES) end('has an element with too many attributes');
    if (nodes.attributes > MOST_ATTRIBUTES_IN_ALL) end('has too many attributes');
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
