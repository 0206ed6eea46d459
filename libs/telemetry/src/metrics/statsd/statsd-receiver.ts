import StatsdClient from 'statsd-client';
import type { FlatReceiver } from '../flat-metrics';
import type { LineOutlet } from './datagram-outlet';

export interface StatsdOptions {
  /** In front of every name, with its dot. */
  prefix: string;
  /** Share of counts and times that are sent, from 0 to 1; statsd scales them up again. Levels are always sent. */
  sampleRate: number;
  outlet: LineOutlet;
  random?: () => number;
}

/** Speaks statsd: the only code that knows its client. */
export function statsdReceiver({ prefix, sampleRate, outlet, random = Math.random }: StatsdOptions): FlatReceiver {
  // A socket that is handed in: the client's own one keeps the process alive, and its errors are nobody's.
  const connected = (socket: LineOutlet) => new StatsdClient({ prefix, _socket: socket } as StatsdClient.UdpOptions);
  const sampled = connected({
    send: (line) => {
      if (sampleRate >= 1) outlet.send(line);
      else if (random() < sampleRate) outlet.send(`${line}|@${sampleRate}`);
    },
  });
  const always = connected(outlet);
  return {
    counter: (name) => void sampled.increment(name),
    timer: (name, durationMs) => void sampled.timing(name, Math.round(durationMs * 1000) / 1000),
    gauge: (name, value) => void always.gauge(name, value),
    gaugeDelta: (name, by) => void always.gaugeDelta(name, by),
  };
}
