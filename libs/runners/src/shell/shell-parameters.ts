import type { ParameterDefinitions } from '@switchyard/model';

/** Parameters of all local command runners (interface sheet "execution", section 9). */
export const shellParameters = {
  cwd: { type: 'string', description: 'The directory in which the command runs.' },
  env: { type: 'object', description: 'Environment variables for the command, by name.' },
  kwarg_op: { type: 'string', description: 'Prefix of named arguments.', default: '--' },
  sudo: { type: 'boolean', description: 'Run the command as root with sudo.', default: false },
  sudo_password: {
    type: 'string',
    description: 'The password that sudo asks for.',
    default: null,
    secret: true,
    required: false,
  },
  timeout: { type: 'integer', description: 'Timeout in seconds.', default: 60 },
} as const satisfies ParameterDefinitions;

/** The values of these parameters as runs use them. */
export interface ShellSettings {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, unknown>>;
  readonly kwargOp: string;
  readonly sudo: boolean;
  readonly sudoPassword?: string;
  readonly timeoutSeconds: number;
}

/** Reads the rendered parameters. Missing and null values get their defaults. */
export function shellSettings(parameters: Readonly<Record<string, unknown>>): ShellSettings {
  const { cwd, env, kwarg_op: kwargOp, sudo, sudo_password: password, timeout } = parameters;
  return {
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    env: (env ?? {}) as Record<string, unknown>,
    kwargOp: typeof kwargOp === 'string' ? kwargOp : shellParameters.kwarg_op.default,
    sudo: sudo === true,
    ...(typeof password === 'string' && password !== '' && { sudoPassword: password }),
    timeoutSeconds: typeof timeout === 'number' ? timeout : shellParameters.timeout.default,
  };
}
