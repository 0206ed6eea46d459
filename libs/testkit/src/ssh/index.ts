export { makeSshKey, type SshKeyOptions } from './ssh-key';
export { missingSshServer, startSshServer, type SshServer, type SshServerOptions } from './ssh-server';
