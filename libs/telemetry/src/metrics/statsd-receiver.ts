import StatsdClient from 'statsd-client';
import type { FlatReceiver } from './flat-metrics';
import type { LineOutlet } from './datagram-outlet';

export interface StatsdOptions {
  /** Prefix of all names, including its dot. */
  prefix: string;
  /** Fraction of counts and times to send, from 0 to 1; statsd scales them up. Levels are always sent. */
  sampleRate: number;
  outlet: LineOutlet;
  random?: () => number;
}

/** Writes measurements in the statsd format. */
export function statsdReceiver({ prefix, sampleRate, outlet, random = Math.random }: StatsdOptions): FlatReceiver {
  // The client's own socket would keep the process alive, and nothing would handle its errors.
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
