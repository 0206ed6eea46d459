import { newId } from '@switchyard/base';
import { understand, type ExecutionRequest, type RequestDeps } from './request';

export interface RehearsedRequest {
  /** Reference. */
  action: string;
  /** As they would be stored: rendered, cast and checked, with masks in place of secrets. */
  parameters: Record<string, unknown>;
}

/** Does all that a request does before anything is stored. @throws Fault of the area `execution` or `parameter` */
export async function rehearseRequest(deps: RequestDeps, request: ExecutionRequest): Promise<RehearsedRequest> {
  const { definition, context } = await understand(deps, request, newId());
  const { parameters, derivedSecrets } = await deps.parameters.resolve(
    definition,
    request.parameters ?? {},
    context,
    request,
  );
  return { action: request.action, parameters: deps.secrets.sealParameters(definition, parameters, derivedSecrets).parameters }; // prettier-ignore
}
