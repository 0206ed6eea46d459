import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endsWithUs } from '../../system/ends-with-us';
import type { ControlPlane } from './control-plane';

/** Follows the pods of a namespace, so that nothing between two looks is missed. */
export interface PodsWatch {
  /** How many pods of a component can serve now: ready, and not ending. */
  ready(component: string): number;
  /** Begins to record the lowest numbers. */
  mark(): void;
  /** The lowest number of each component since the mark. */
  lowest(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

const COMPONENT = 'app.kubernetes.io/component';
const TEMPLATE =
  `{{.type}} {{.object.metadata.uid}} {{index .object.metadata.labels "${COMPONENT}"}} ` +
  '{{if .object.metadata.deletionTimestamp}}ending{{else}}stays{{end}} ' +
  '{{range .object.status.conditions}}{{if eq .type "Ready"}}{{.status}}{{end}}{{end}}{{"\\n"}}';

export async function watchPods({ startKubectl }: ControlPlane, namespace: string): Promise<PodsWatch> {
  const child = startKubectl([
    ...['get', 'pods', '--namespace', namespace, '--selector', COMPONENT],
    ...['--watch', '--output-watch-events', '--output', `go-template=${TEMPLATE}`],
  ]);
  endsWithUs(child, () => void child.kill());
  /** The component of each pod that can serve. */
  const serving = new Map<string, string>();
  let low: Record<string, number> = {};
  const ready = (component: string) => [...serving.values()].filter((each) => each === component).length;
  createInterface(child.stdout!).on('line', (line) => {
    const [type, id = '', component = '', state, isReady] = line.split(' ');
    if (type !== 'DELETED' && state === 'stays' && isReady === 'True') serving.set(id, component);
    else serving.delete(id);
    low[component] = Math.min(low[component] ?? Infinity, ready(component));
  });
  return {
    ready,
    mark: () => (low = Object.fromEntries([...new Set(serving.values())].map((each) => [each, ready(each)]))),
    lowest: () => ({ ...low }),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
