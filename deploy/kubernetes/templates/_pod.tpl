{{/*
The pod of a Deployment. Takes root, name (of the component), services (for svc-service), port (of the probes), settings (with the
defaults), plain (options), and seconds (of the grace period). An HTTP listener also has ports.
*/}}
{{- define "switchyard.pod" -}}
{{- $values := .root.Values }}
{{- $selector := merge (dict "app.kubernetes.io/component" .name) (fromYaml (include "switchyard.selector" .root)) }}
metadata:
  labels:
    {{- include "switchyard.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
    switchyard/role: {{ .role }}
    {{- with .settings.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    checksum/config: {{ .root.Values.config | sha256sum }}
    {{- if $values.metrics.annotations }}
    prometheus.io/scrape: 'true'
    prometheus.io/port: {{ .port | quote }}
    prometheus.io/path: /metrics
    {{- end }}
    {{- with .settings.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ .settings.serviceAccountName | default (include "switchyard.serviceAccount" .root) }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .seconds }}
  {{- with .settings.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext: {{- include "switchyard.podSecurity" . | nindent 4 }}
  topologySpreadConstraints:
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- toYaml $selector | nindent 10 }}
    {{- end }}
  {{- with .settings.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- include "switchyard.initContainers" . | nindent 2 }}
  containers:
    - name: {{ .container }}
      image: {{ include "switchyard.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [{{ .services | quote }}]
      ports:
        {{- range $port, $number := .ports }}
        - name: {{ $port }}
          containerPort: {{ $number }}
        {{- end }}
      env: {{- include "switchyard.environment" (dict "root" .root "plain" .plain "own" .settings.environment) | nindent 8 }}
      {{- with $values.environmentFrom }}
      envFrom: {{- toYaml . | nindent 8 }}
      {{- end }}
      # A service waits three minutes for the store and the bus before it exits.
      startupProbe:
        httpGet: { path: /healthz, port: {{ .port }} }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 120
      livenessProbe:
        httpGet: { path: /healthz, port: {{ .port }} }
        periodSeconds: 15
        timeoutSeconds: 5
        failureThreshold: 4
      readinessProbe:
        httpGet: { path: /readyz, port: {{ .port }} }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 3
      {{- if eq .role "listener" }}
      lifecycle:
        # Until no request is routed here any more.
        preStop: { exec: { command: [sleep, '5'] } }
      {{- end }}
      resources: {{- toYaml .settings.resources | nindent 8 }}
      securityContext: {{- include "switchyard.containerSecurity" . | nindent 8 }}
      volumeMounts: {{- include "switchyard.mounts" . | nindent 8 }}
    {{- range $values.packs.git }}
    {{- include "switchyard.gitSync" (dict "root" $.root "git" . "registers" (contains "api" (toString $.services))) | nindent 4 }}
    {{- end }}
  volumes: {{- include "switchyard.volumes" . | nindent 4 }}
{{- end }}

{{- define "switchyard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "switchyard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
