{{- define "switchyard.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* The name of the Deployment of a pool, from the name of the installation and the pool. KEDA uses it as a label, which has at most 63 characters. */}}
{{- define "switchyard.runner" -}}
{{- $full := printf "%s-runner-%s" (first .) (last .) }}
{{- if gt (len $full) 63 }}{{ printf "%s-%s" ($full | trunc 54 | trimSuffix "-") ($full | sha256sum | trunc 8) }}{{ else }}{{ $full }}{{ end }}
{{- end }}

{{- define "switchyard.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "switchyard.labels" -}}
{{ include "switchyard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "switchyard.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "switchyard.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}{{ else if .Values.serviceAccount.create }}{{ include "switchyard.name" . }}{{ else }}default{{ end }}
{{- end }}

{{- define "switchyard.configMap" -}}
{{ .Values.existingConfigMap | default (printf "%s-config" (include "switchyard.name" .)) }}
{{- end }}

{{- define "switchyard.serversSecret" -}}
{{ include "switchyard.name" . }}-servers
{{- end }}

{{- define "switchyard.keysSecret" -}}
{{ .Values.keys.existingSecret | default (printf "%s-keys" (include "switchyard.name" .)) }}
{{- end }}

{{/* Whether the keys come from a Secret. Otherwise they are on the shared volume, where the first service creates them. */}}
{{- define "switchyard.hasKeysSecret" -}}
{{- if or .Values.keys.existingSecret (not .Values.sharedVolume.enabled) }}true{{ end }}
{{- end }}

{{/* The names of the services in each Deployment, except for action runners. */}}
{{- define "switchyard.groups" -}}
{{- if eq .Values.grouping "small" }}
api: auth,stream,api
scheduler: notifier,scheduler,workflow-engine,rules-engine,timers,garbage-collector
sensor-container: sensor-container
{{- else }}
{{- range list "auth" "api" "stream" "scheduler" "notifier" "workflow-engine" "rules-engine" "timers" "garbage-collector" "sensor-container" }}
{{ . }}: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* The pools with their defaults. */}}
{{- define "switchyard.pools" -}}
{{- range $name, $own := .Values.pools }}
{{- $pool := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy $.Values.poolDefaults) (deepCopy ($own | default dict)) }}
{{- $isDefault := eq $name "default" }}
{{- if not $pool.labels }}{{ $_ := set $pool "labels" (ternary list (list $name) $isDefault) }}{{ end }}
{{- if kindIs "invalid" $pool.runsDefault }}{{ $_ := set $pool "runsDefault" $isDefault }}{{ end }}
{{ dict $name $pool | toYaml }}
{{- end }}
{{- end }}

{{/* The host of the public address. */}}
{{- define "switchyard.host" -}}
{{ .Values.ingress.host | default (first (splitList ":" (get (urlParse .Values.publicUrl) "host"))) }}
{{- end }}
