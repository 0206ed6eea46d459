import { paths, type Config } from '@switchyard/config';
import { checkDatabase, readKeyRing } from '@switchyard/storage';
import { brokerTls, brokerUrls } from './open-bus';
import { checkSpans } from './open-spans';

/** A check of the configuration, which throws or rejects with what is wrong. */
export type ConfigCheck = () => unknown;

/** What `openPlatform` checks before it connects, opens or writes anything. */
export function platformChecks(config: Config): ConfigCheck[] {
  const { database, messaging, storage } = config;
  return [
    () => checkSpans(config),
    ...(storage.driver === 'mongodb' ? [() => checkDatabase(database)] : []),
    () => readKeyRing(paths(config).recordKey),
    ...(messaging.driver === 'rabbitmq' ? [() => brokerUrls(messaging)] : []),
    ...(messaging.driver === 'rabbitmq' && messaging.ssl ? [() => brokerTls(messaging)] : []),
  ];
}
