import type { NotifySection, NotifySpec } from '../resources/action';

export const DEFAULT_NOTIFY_ROUTE = 'notify.default';

type GivenSection = NotifySection & { channels?: string[] };

/**
 * A specification as it is stored: each section names its routes, and an empty section notifies nobody.
 * `channels`, the former name of `routes`, is accepted in metadata, chains and requests.
 */
export const notifyWithRoutes = (spec: NotifySpec): NotifySpec =>
  Object.fromEntries(
    Object.entries(spec)
      .filter(([, given]) => Object.keys(given).length > 0)
      .map(([name, given]) => [name, sectionWithRoutes(given)]),
  );

function sectionWithRoutes({ message, data, routes, channels, ...others }: GivenSection): NotifySection {
  const named = [routes, channels].find((list) => list?.length);
  return {
    ...(message ? { message } : {}),
    ...(data && Object.keys(data).length > 0 ? { data } : {}),
    ...others,
    routes: named ?? [DEFAULT_NOTIFY_ROUTE],
  };
}
