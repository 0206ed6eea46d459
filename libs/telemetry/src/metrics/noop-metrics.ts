import type { Metrics } from './metrics';

const nothing = () => undefined;

export const noopMetrics: Metrics = { counter: nothing, timer: nothing, gauge: nothing };
