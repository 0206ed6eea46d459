import { t } from '@lingui/core/macro';
import { Code, Group, Tabs } from '@mantine/core';
import { textOfValue, type ParameterFields } from './parameter-values';
import { CopyText } from '../shared/copy-text';
import { shellWord } from '../shared/shell-word';

export interface RequestedRun {
  readonly ref: string;
  /** The execution that is run again. */
  readonly rerunOf: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Shown in place of secrets. */
const MASKED = '********';

/** Shows the run as a request, as a command, and with curl. */
export function RequestPreview({ request, fields }: { request: RequestedRun; fields: ParameterFields }) {
  const shown = { ...request, parameters: withoutSecrets(request.parameters, fields) };
  const forms = { Request: requestText(shown), svc: commandText(shown), curl: curlText(shown) };
  return (
    <Tabs defaultValue="svc" variant="outline" keepMounted={false}>
      <Tabs.List>
        {Object.keys(forms).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(forms).map(([name, text]) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Code
            block
            tabIndex={0}
            aria-label={t`Preview: ${name}`}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {text}
          </Code>
          <Group justify="flex-end" mt="xs">
            <CopyText text={text} />
          </Group>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const withoutSecrets = (values: Readonly<Record<string, unknown>>, fields: ParameterFields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fields[name]?.secret ? MASKED : value]));

const pathOf = ({ rerunOf }: RequestedRun): string =>
  rerunOf === undefined ? '/api/v1/executions' : `/api/v1/executions/${rerunOf}/re_run`;

const bodyOf = ({ ref, rerunOf, parameters }: RequestedRun): object =>
  rerunOf === undefined ? { action: ref, parameters } : { parameters };

const requestText = (request: RequestedRun): string =>
  `POST ${pathOf(request)}\n\n${JSON.stringify(bodyOf(request), null, 2)}`;

function commandText({ ref, rerunOf, parameters }: RequestedRun): string {
  const command = rerunOf === undefined ? `svc run ${ref}` : `svc execution re-run ${rerunOf}`;
  return [
    command,
    ...Object.entries(parameters).map(([name, value]) => `${name}=${shellWord(textOfValue(value))}`),
  ].join(' ');
}

const curlText = (request: RequestedRun): string =>
  [
    `curl ${shellWord(window.location.origin + pathOf(request))}`,
    `  -H "X-Auth-Token: $SVC_AUTH_TOKEN" -H 'Content-Type: application/json'`,
    `  -d ${shellWord(JSON.stringify(bodyOf(request)))}`,
  ].join(' \\\n');
