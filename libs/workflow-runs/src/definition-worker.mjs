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
  RehearsalError,
  rehearseTexts,
} from '@switchyard/workflow';

/** @typedef {{ text: string, isChain: boolean, parameters: readonly string[], options: object }} DefinitionText */
/** @typedef {import('@switchyard/workflow').RehearsalRequest} RehearsalRequest */
/** @type {{ inspect?: { text: string, context: readonly string[] }, outline?: { text: string }, rehearse?: RehearsalRequest, parse?: DefinitionText }} */
const { inspect, outline, rehearse, parse } = workerData;

/** @param {() => unknown} work */
const answer = (work) => {
  try {
    parentPort?.postMessage(work());
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const { message, position } = error;
    parentPort?.postMessage({ refusal: { message, position, isOfRehearsal: error instanceof RehearsalError } });
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

if (rehearse) answer(() => ({ report: rehearseTexts(rehearse) }));

if (parse) {
  const { text, isChain, parameters, options } = parse;
  answer(() => {
    if (!isChain) return { parsed: { spec: parseWorkflow(text) } };
    const chain = parseActionChain(text);
    return { parsed: { chain, spec: chainToWorkflow(chain, parameters, options) } };
  });
}
