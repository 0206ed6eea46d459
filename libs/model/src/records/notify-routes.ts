import type { NotifySection, NotifySpec } from '../resources/action';

/** A specification as it is stored: `channels`, the former name of `routes`, is accepted in metadata, chains and requests. */
export const notifyWithRoutes = (spec: NotifySpec): NotifySpec =>
  Object.fromEntries(
    Object.entries(spec).map(([name, given]) => {
      const { channels, ...section } = given as NotifySection & { channels?: string[] };
      return [name, channels && !section.routes ? { ...section, routes: channels } : section];
    }),
  );
