import { fault, MIB } from '@switchyard/base';
import { attributeParameters, readAttributes, route, type Route } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { executionAttributes, selectedFields, selectedParts } from './attributes';
import { findExecution } from './find-execution';
import { inPart } from '../lists/listed-schema';
import { secretsShown, showSecretsParameter } from '../secrets-shown';

const LARGEST_LIMIT = 14 * MIB;

export const getExecutionRoute = ({ config, executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}',
    operation: 'executions.get_one',
    summary: 'One execution; the id may be the word last',
    permission: 'execution_view',
    query: {
      ...attributeParameters,
      ...showSecretsParameter,
      max_result_size: { type: 'integer', description: 'Larger results are left out, in bytes; 0 for any size' },
    },
    response: { status: 200, schema: inPart(executionAnswer) },
    async handle(request) {
      const selection = readAttributes(request.query, executionAttributes);
      const limit = resultLimit(request.query.max_result_size);
      const fields = selectedFields(selection);
      const record = await findExecution(executions.records, request.params.id, fields && [...fields, 'result_size']);
      const view = await executions.view.execution(record, {
        showSecrets: secretsShown(request, config),
        wants: selection.wants,
        result: isWithin(record, limit),
      });
      return { status: 200, body: selectedParts(selection, view) };
    },
  });

/** @throws Fault `execution.result-limit`, `execution.result-limit-too-large` */
function resultLimit(bytes = 0): number {
  if (bytes < 0) throw fault('execution.result-limit');
  if (bytes > LARGEST_LIMIT) throw fault('execution.result-limit-too-large');
  return bytes === 0 ? Number.POSITIVE_INFINITY : bytes;
}

const isWithin = ({ result_size: size = 0 }: ExecutionRecord, limit: number): boolean => size <= limit;
