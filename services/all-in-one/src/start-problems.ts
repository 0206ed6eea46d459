import { checkAccounts, addedBackends } from '@switchyard/assembly/accounts';
import { checkDatastoreKeys } from '@switchyard/assembly/datastore';
import { createRoleBackend } from '@switchyard/assembly/roles';
import { createRunners } from '@switchyard/assembly/runners';
import { createLoginBackends } from '@switchyard/auth';
import { messageOf, systemClock } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import { platformChecks, type ConfigCheck } from '@switchyard/host';
import { newServer, serverSettings } from '@switchyard/http';
import { createLogger, type Logger } from '@switchyard/telemetry';

/**
 * Why services would not start with a configuration, as far as their own checks find it without a connection and without a change of
 * any file. Plug-ins are loaded.
 * @returns messages without secrets
 */
export async function startProblems(config: Config): Promise<string[]> {
  const logger = createLogger({ service: 'check', outputs: [], mask: true, maskNames: [] });
  const problems = new Set<string>();
  for (const check of [...platformChecks(config), ...serviceChecks(config, logger)]) {
    try {
      await check();
    } catch (error) {
      problems.add(messageOf(error));
    }
  }
  return [...problems];
}

function serviceChecks(config: Config, logger: Logger): ConfigCheck[] {
  const { use_ssl: tls, cert, key } = config.auth;
  return [
    () => checkDatastoreKeys(config),
    () => createRunners(config, paths(config)),
    () => createRoleBackend(config, logger),
    () => checkLogins(config, logger),
    async () => {
      const { connections } = serverSettings(config);
      if (tls && cert && key) await newServer({ certFile: cert, keyFile: key }, connections, () => undefined);
    },
  ];
}

async function checkLogins(given: Config, logger: Logger): Promise<void> {
  const config = await checkAccounts(given, logger);
  const backends = addedBackends(config);
  const { passwords } = createLoginBackends({ config, clock: systemClock(), logger, backends });
  await passwords?.close?.();
}
