/** Pods whose first container has an image with this tag never become ready. */
export const BROKEN_TAG = 'broken';
/** An annotation of pods: how long they take to end, such as `30s`. With `all` they use all of their grace period. */
export const ENDS_AFTER = 'control-plane/ends-after';

const kind = (name: string) => ({ resourceRef: { apiGroup: 'v1', kind: name } });
const key = (path: string, operator: string, ...values: string[]) => ({
  key: path,
  operator,
  ...(values.length > 0 && { values }),
});
const ENDING = '.metadata.deletionTimestamp';
const ANNOTATED = `.metadata.annotations["${ENDS_AFTER}"]`;

const running = (isInit: boolean) => `
{{ range .spec.${isInit ? 'initContainers' : 'containers'} }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  restartCount: 0
  state:
    ${isInit ? 'terminated: { exitCode: 0, reason: Completed }' : 'running: { startedAt: {{ $now | Quote }} }'}
{{ end }}`;

const condition = (type: string) => `- { type: ${type}, status: "True", lastTransitionTime: {{ $now | Quote }} }`;

const indented = (text: string) => text.replaceAll('\n', '\n  ');

const READY = `
{{ $now := Now }}
phase: Running
startTime: {{ $now | Quote }}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith .spec.nodeName false ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
conditions:
${['Initialized', 'ContainersReady', 'Ready'].map(condition).join('\n')}
initContainerStatuses:${indented(running(true))}
containerStatuses:${indented(running(false))}
`;

const NODE_READY = `
{{ $now := Now }}
conditions:
- { type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }} }
`;

/** Nodes become ready, which kwok then renews by their leases. Pods, which have no real containers, become ready after one to three seconds, and end after one. */
export function kwokStages(): string {
  const ends = (name: string, expression: string | undefined, ...selector: object[]) => ({
    name,
    ...kind('Pod'),
    selector: { matchExpressions: [key(ENDING, 'Exists'), ...selector] },
    delay: { durationMilliseconds: 1000, ...(expression && { durationFrom: { expressionFrom: expression } }) },
    next: { finalizers: { empty: true }, delete: true },
  });
  const stages = [
    {
      name: 'node-ready',
      ...kind('Node'),
      selector: {
        matchExpressions: [key('.status.conditions.[] | select(.type == "Ready") | .status', 'NotIn', 'True')],
      },
      next: { statusTemplate: NODE_READY },
    },
    {
      name: 'pod-ready',
      ...kind('Pod'),
      selector: {
        matchExpressions: [
          key(ENDING, 'DoesNotExist'),
          key('.status.podIP', 'DoesNotExist'),
          key(`.spec.containers[0].image | select(endswith(":${BROKEN_TAG}"))`, 'DoesNotExist'),
        ],
      },
      delay: { durationMilliseconds: 1000, jitterDurationMilliseconds: 3000 },
      next: { statusTemplate: READY },
    },
    ends('pod-ends', undefined, key(ANNOTATED, 'DoesNotExist')),
    ends('pod-ends-after', ANNOTATED, key(ANNOTATED, 'Exists'), key(ANNOTATED, 'NotIn', 'all')),
    ends('pod-ends-last', ENDING, key(ANNOTATED, 'In', 'all')),
  ];
  return stages
    .map(({ name, ...spec }) => ({
      apiVersion: 'kwok.x-k8s.io/v1alpha1',
      kind: 'Stage',
      metadata: { name },
      spec,
    }))
    .map((stage) => `---\n${JSON.stringify(stage, undefined, 2)}\n`)
    .join('');
}
