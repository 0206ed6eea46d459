{{/*
The environment of a container. Takes root, and plain: options of this container, which override those for all.
*/}}
{{- define "switchyard.environment" -}}
{{- $name := include "switchyard.name" .root }}
{{- $values := .root.Values }}
{{- $options := dict
  "SVC_CONFIG_PATH" "/etc/switchyard/svc.conf"
  "SVC_STORAGE__DRIVER" "mongodb"
  "SVC_MESSAGING__DRIVER" "rabbitmq"
  "SVC_LOG__FORMAT" "json"
  "SVC_AUTH__API_URL" (printf "%s/api" (trimSuffix "/" $values.publicUrl))
  "SVC_WEBUI__WEBUI_BASE_URL" (trimSuffix "/" $values.publicUrl) }}
{{- $paths := list }}
{{- if $values.packs.images }}{{ $paths = append $paths "/opt/packs/images" }}{{ end }}
{{- range $values.packs.volumes }}{{ $paths = append $paths (printf "/opt/packs/%s" .name) }}{{ end }}
{{- range $values.packs.git }}{{ $paths = append $paths (printf "/opt/packs/%s/current%s" .name (ternary (printf "/%s" .path) "" (not (empty .path)))) }}{{ end }}
{{- if $paths }}{{ $_ := set $options "SVC_CONTENT__PACKS_BASE_PATHS" (join ":" $paths) }}{{ end }}
{{- if $values.mongodb.bundled }}
{{- $_ := set $options "SVC_DATABASE__HOST" (printf "mongodb://%s-mongodb:27017/?authSource=admin" $name) }}
{{- $_ := set $options "SVC_DATABASE__USERNAME" "svc" }}
{{- else }}
{{- if $values.mongodb.external.url }}{{ $_ := set $options "SVC_DATABASE__HOST" $values.mongodb.external.url }}{{ end }}
{{- if $values.mongodb.external.username }}{{ $_ := set $options "SVC_DATABASE__USERNAME" $values.mongodb.external.username }}{{ end }}
{{- $_ := set $options "SVC_DATABASE__DB_NAME" $values.mongodb.external.database }}
{{- end }}
{{- if $values.ingress.trustedProxies }}{{ $_ := set $options "SVC_AUTH__TRUSTED_PROXIES" (join "," $values.ingress.trustedProxies) }}{{ end }}
{{- $options = mergeOverwrite $options (deepCopy .plain) $values.environment (.own | default dict) }}
{{- range $option, $value := $options }}
- name: {{ $option }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- $set := keys $options }}
{{- range $values.extraEnvironment }}{{ $set = append $set .name }}{{ end }}
{{- range fromYamlArray (include "switchyard.secretFiles" .root) }}
{{- if not (or (has .option $set) (has (printf "%s_FILE" .option) $set)) }}
- name: {{ .option }}_FILE
  value: /etc/switchyard-secrets/{{ .path }}
{{- end }}
{{- end }}
{{- with $values.extraEnvironment }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
The options of all services whose values are in Secrets: option, secret, key, and the path of the file. An option that is also set in
another way has no file, because services refuse both.
*/}}
{{- define "switchyard.secretFiles" -}}
{{- $values := .Values }}
{{- if $values.mongodb.bundled }}
- { option: SVC_DATABASE__PASSWORD, secret: {{ include "switchyard.serversSecret" . }}, key: mongodb-password, path: database-password }
{{- else if $values.mongodb.external.existingSecret }}
{{- if $values.mongodb.external.url }}
- { option: SVC_DATABASE__PASSWORD, secret: {{ $values.mongodb.external.existingSecret }}, key: password, path: database-password }
{{- else }}
- { option: SVC_DATABASE__HOST, secret: {{ $values.mongodb.external.existingSecret }}, key: url, path: database-host }
{{- end }}
{{- end }}
- { option: SVC_MESSAGING__URL, secret: {{ ternary (include "switchyard.serversSecret" .) $values.rabbitmq.external.existingSecret $values.rabbitmq.bundled }}, key: url, path: messaging-url }
{{- range $values.secretFiles }}
- { option: {{ .option }}, secret: {{ .secret }}, key: {{ .key }}, path: {{ .option | lower | replace "_" "-" }} }
{{- end }}
{{- end }}

{{/* Takes a name, a Secret and its key. */}}
{{- define "switchyard.secretOption" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 }}
{{- end }}
