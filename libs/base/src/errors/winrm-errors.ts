import type { ErrorEntry } from './catalogue';

/** What keeps a command from being run on a Windows host. */
export const winrmErrors = {
  'winrm.transport': {
    status: 400,
    template: 'The transport "{transport}" of WinRM cannot be used: {reason}. These work: {working}.',
  },
  'winrm.scheme': { status: 400, template: 'The scheme "{scheme}" is neither http nor https.' },
  'winrm.plain-ssl': {
    status: 400,
    template: 'The transport "ssl" sends the password over an encrypted connection only, but the scheme is http.',
  },
  'winrm.host': { status: 400, template: '"{host}" is neither the name nor the address of a host.' },
  'winrm.port': { status: 400, template: '{port} is no number of a port.' },
  'winrm.missing': { status: 400, template: 'The parameter "{name}" is needed to reach a host.' },
  'winrm.kwarg-op': { status: 400, template: '"{kwargOp}" in kwarg_op cannot stand before the name of a parameter.' },
  'winrm.parameter-name': { status: 400, template: '"{name}" cannot be the name of a parameter in PowerShell.' },
  'winrm.character': {
    status: 400,
    template: 'A command for a Windows host cannot contain the character U+{code}: XML has no place for it.',
  },
  'winrm.script-file': {
    status: 400,
    template: 'The script "{entryPoint}" of the action "{ref}" could not be read: {reason}',
  },
  'winrm.unauthorized': {
    status: 401,
    template:
      'The host {host} did not accept the user "{username}" by the transport {transport}. Authentication that it offers: {offered}.',
  },
  'winrm.ntlm': { status: 502, template: 'The NTLM messages of {host} cannot be followed: {reason}.' },
  'winrm.not-sealed': {
    status: 502,
    template: 'The host {host} answered an encrypted message with one that is not, or that was changed on the way.',
  },
  'winrm.proxy': { status: 502, template: 'The proxy {proxy} does not let connections through to {host}: {reason}' },
  'winrm.http': {
    status: 502,
    template: 'The host {host} answered with HTTP status {status} where one of WinRM was due.',
  },
  'winrm.answer': { status: 502, template: 'The answer of {host} is none of WinRM: {reason}.' },
  'winrm.refused': { status: 502, template: 'The host {host} refused to {step}: {reason}' },
  'winrm.upload': { status: 502, template: 'The script could not be copied to the host: {reason}' },
} as const satisfies Record<string, ErrorEntry>;
