import { KIB } from '@switchyard/base';
import type { WorkflowDefinitionRecord } from '@switchyard/model';
import {
  type ActionChain,
  type ChainRunOptions,
  chainToWorkflow,
  parseActionChain,
  parseWorkflow,
  type WorkflowSpec,
} from '@switchyard/workflow';
import { inThread } from './definition-thread';

/** A definition, ready to be run. */
export interface WorkflowDefinition {
  readonly record: WorkflowDefinitionRecord;
  readonly spec: WorkflowSpec;
  /** The action chain itself, for the parts that a workflow cannot express. */
  readonly chain?: ActionChain;
}

/** Texts up to this many characters are parsed directly, longer ones in a thread: a definition of 900 kB takes more than a second. */
const PARSED_AT_ONE_GO = 16 * KIB;

/**
 * @param parameters names of the action's parameters: the variables of a chain
 * @throws DefinitionError; Fault `workflow.too-costly`
 */
export async function parseDefinition(
  record: WorkflowDefinitionRecord,
  parameters: readonly string[],
  options: ChainRunOptions = {},
): Promise<WorkflowDefinition> {
  const source = { text: record.text, isChain: record.runner === 'action-chain', parameters, options };
  if (record.text.length <= PARSED_AT_ONE_GO) return { record, ...parseSource(source) };
  return { record, ...(await parseInThread(source)) };
}

/** The input of a thread for parsing. */
interface DefinitionText {
  readonly text: string;
  readonly isChain: boolean;
  readonly parameters: readonly string[];
  readonly options: ChainRunOptions;
}

type ParsedDefinition = Pick<WorkflowDefinition, 'spec' | 'chain'>;

function parseSource({ text, isChain, parameters, options }: DefinitionText): ParsedDefinition {
  if (!isChain) return { spec: parseWorkflow(text) };
  const chain = parseActionChain(text);
  return { chain, spec: chainToWorkflow(chain, parameters, options) };
}

const parseInThread = (source: DefinitionText): Promise<ParsedDefinition> =>
  inThread({ parse: source }, {}, ({ parsed }: { parsed?: ParsedDefinition }) => parsed);
