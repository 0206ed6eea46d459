// Runs in a worker thread: inspecting a large definition takes seconds, and would hold up every request.
// Plain JavaScript, because it is loaded as a file both from the sources (tests) and from the build.
import { parentPort, workerData } from 'node:worker_threads';
import { actionsNamedIn, DefinitionError, flatFindings, inspectWorkflow, parseYaml } from '@switchyard/workflow';

/** @type {{ text: string, context: readonly string[] }} */
const { text, context } = workerData;

/** @param {() => unknown} work */
const answer = (work) => {
  try {
    parentPort?.postMessage(work());
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    parentPort?.postMessage({ refusal: error.message });
  }
};

answer(() => {
  const parsed = parseYaml(text);
  parentPort?.once('message', (/** @type {import('@switchyard/workflow').KnownActions} */ known) => {
    const actions = (/** @type {string} */ reference) => known.get(reference);
    answer(() => ({ findings: flatFindings(inspectWorkflow(parsed, { context, actions })) }));
  });
  return { names: actionsNamedIn(parsed) };
});
