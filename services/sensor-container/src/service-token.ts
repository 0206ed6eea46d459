import { SECOND_MS, type Clock } from '@switchyard/base';
import type { SensorTypeRecord } from '@switchyard/model';
import type { Tokens } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';

export interface TokenDeps {
  readonly tokens: Pick<Tokens, 'issueToken' | 'extend' | 'revoke'>;
  readonly ttlSeconds: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A token in the environment of a sensor process. */
export interface ServiceToken {
  readonly text: string;
  /** Revokes the token. */
  release(): void;
}

const TOKEN_USER = 'sensors_container';
/** How often a token is renewed within its lifetime. */
const RENEWALS = 3;

/** Issues a token that lives as long as the sensor process: it is renewed regularly, and revoked at the end. */
export async function issueSensorToken(deps: TokenDeps, sensor: SensorTypeRecord): Promise<ServiceToken> {
  const { tokens, ttlSeconds, clock, logger } = deps;
  const { token } = await tokens.issueToken({
    user: TOKEN_USER,
    ttlSeconds,
    service: true,
    metadata: { service: TOKEN_USER, sensor_path: sensor.artifact_uri, sensor_class: sensor.class_name },
  });
  const failed = (what: string) => (error: unknown) =>
    logger.warn(`The token of a sensor could not be ${what}.`, { sensor: sensor.ref, error });
  const renewLater = (): (() => void) =>
    clock.after((ttlSeconds * SECOND_MS) / RENEWALS, () => {
      stopTimer = renewLater();
      tokens.extend(token, ttlSeconds).catch(failed('renewed'));
    });
  let stopTimer = renewLater();
  return {
    text: token,
    release() {
      stopTimer();
      tokens.revoke(token).catch(failed('revoked'));
    },
  };
}
