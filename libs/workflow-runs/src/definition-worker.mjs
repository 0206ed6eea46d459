// Runs in a worker thread: parsing or inspecting a large definition takes seconds, and would hold up every request.
// Plain JavaScript, because it is loaded as a file both from the sources (tests) and from the build.
import { parentPort, workerData } from 'node:worker_threads';
import {
  actionsNamedIn,
  chainToWorkflow,
  DefinitionError,
  flatFindings,
  inspectWorkflow,
  outlineOf,
  parseActionChain,
  parseWorkflow,
  parseYaml,
} from '@switchyard/workflow';

/** @typedef {{ text: string, isChain: boolean, parameters: readonly string[], options: object }} DefinitionText */
/** @type {{ inspect?: { text: string, context: readonly string[] }, outline?: { text: string }, parse?: DefinitionText }} */
const { inspect, outline, parse } = workerData;

/** @param {() => unknown} work */
const answer = (work) => {
  try {
    parentPort?.postMessage(work());
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    parentPort?.postMessage({ refusal: { message: error.message, position: error.position } });
  }
};

if (inspect) {
  const { text, context } = inspect;
  answer(() => {
    const parsed = parseYaml(text);
    parentPort?.once('message', (/** @type {import('@switchyard/workflow').KnownActions} */ known) => {
      const actions = (/** @type {string} */ reference) => known.get(reference);
      answer(() => ({ findings: flatFindings(inspectWorkflow(parsed, { context, actions })) }));
    });
    return { names: actionsNamedIn(parsed) };
  });
}

if (outline) answer(() => ({ outline: outlineOf(outline.text) }));

if (parse) {
  const { text, isChain, parameters, options } = parse;
  answer(() => {
    if (!isChain) return { parsed: { spec: parseWorkflow(text) } };
    const chain = parseActionChain(text);
    return { parsed: { chain, spec: chainToWorkflow(chain, parameters, options) } };
  });
}
