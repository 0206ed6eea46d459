{{/* What a service's container mounts. */}}
{{- define "switchyard.mounts" -}}
- { name: data, mountPath: /opt/switchyard }
- { name: tmp, mountPath: /tmp }
- { name: home, mountPath: /home/svc }
- { name: config, mountPath: /etc/switchyard, readOnly: true }
- { name: secrets, mountPath: /etc/switchyard-secrets, readOnly: true }
{{- if .accounts }}
- { name: accounts, mountPath: /etc/switchyard-accounts, readOnly: true }
{{- end }}
{{- if .root.Values.packs.images }}
- { name: packs-images, mountPath: /opt/packs/images, readOnly: true }
{{- end }}
{{- range .root.Values.packs.volumes }}
- name: packs-{{ .name }}
  mountPath: /opt/packs/{{ .name }}
  readOnly: true
  {{- with .subPath }}
  subPath: {{ . }}
  {{- end }}
{{- end }}
{{- range .root.Values.packs.git }}
- { name: packs-{{ .name }}, mountPath: /opt/packs/{{ .name }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "switchyard.volumes" -}}
{{- $values := .root.Values -}}
- name: data
  {{- if $values.sharedVolume.enabled }}
  persistentVolumeClaim:
    claimName: {{ $values.sharedVolume.existingClaim | default (printf "%s-shared" (include "switchyard.name" .root)) }}
  {{- else }}
  emptyDir: {}
  {{- end }}
- { name: tmp, emptyDir: {} }
- { name: home, emptyDir: {} }
- name: config
  configMap:
    name: {{ include "switchyard.configMap" .root }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range fromYamlArray (include "switchyard.secretFiles" .root) }}
      - secret: { name: {{ .secret }}, items: [{ key: {{ .key }}, path: {{ .path }} }] }
      {{- end }}
{{- if .accounts }}
- name: accounts
  secret:
    secretName: {{ $values.accounts.existingSecret }}
{{- end }}
{{- if include "switchyard.hasKeysSecret" .root }}
- name: keys
  secret:
    secretName: {{ include "switchyard.keysSecret" .root }}
{{- end }}
{{- if $values.packs.images }}
- { name: packs-images, emptyDir: {} }
{{- end }}
{{- range $values.packs.volumes }}
- name: packs-{{ .name }}
  {{- toYaml .source | nindent 2 }}
{{- end }}
{{- range $values.packs.git }}
- { name: packs-{{ .name }}, emptyDir: {} }
{{- end }}
{{- range $values.packs.git }}
{{- if .credentials }}
- name: git-{{ .name }}-credentials
  secret: { secretName: {{ .credentials }}, defaultMode: 0440 }
{{- end }}
{{- end }}
{{- end }}

{{/* They put keys and packs where the service reads them. */}}
{{- define "switchyard.initContainers" -}}
{{- $values := .root.Values }}
{{- if or (include "switchyard.hasKeysSecret" .root) $values.packs.images $values.packs.git }}
initContainers:
  {{- if include "switchyard.hasKeysSecret" .root }}
  - name: keys
    image: {{ include "switchyard.image" .root }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    # Keys on a shared volume may be newer, after a rotation.
    command: [sh, -c, 'umask 077; mkdir -p /opt/switchyard/keys; cd /etc/switchyard-keys; for file in *.json; do [ -e "/opt/switchyard/keys/$file" ] || cp "$file" /opt/switchyard/keys/ || exit; done']
    resources: {{- include "switchyard.smallResources" . | nindent 6 }}
    securityContext: {{- include "switchyard.containerSecurity" . | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /opt/switchyard }
      - { name: keys, mountPath: /etc/switchyard-keys, readOnly: true }
  {{- end }}
  {{- range $values.packs.images }}
  - name: packs-{{ .name }}
    image: {{ .image }}
    imagePullPolicy: {{ .pullPolicy | default $values.image.pullPolicy }}
    command:
      - sh
      - -c
      - cp -R {{ .path | default "/packs" }}/. /target/packs/{{ with .virtualenvs }} && mkdir -p /target/data/virtualenvs && cp -a {{ . }}/. /target/data/virtualenvs/{{ end }}
    resources: {{- include "switchyard.smallResources" $ | nindent 6 }}
    securityContext: {{- include "switchyard.containerSecurity" $ | nindent 6 }}
    volumeMounts:
      - { name: packs-images, mountPath: /target/packs }
      - { name: data, mountPath: /target/data }
  {{- end }}
  {{- range $values.packs.git }}
  {{- include "switchyard.gitSync" (dict "root" $.root "git" . "once" true) | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "switchyard.smallResources" -}}
requests: { cpu: 10m, memory: 32Mi }
limits: { memory: 256Mi }
{{- end }}

{{/* Follows a repository: once before the service starts, or next to it. Takes root, git, once and registers. */}}
{{- define "switchyard.gitSync" -}}
{{- $sync := .root.Values.packs.gitSync }}
- name: git-{{ .git.name }}{{ ternary "-first" "" (default false .once) }}
  image: {{ $sync.image }}
  args:
    - --repo={{ .git.repository }}
    - --ref={{ .git.ref | default "HEAD" }}
    - --root=/git
    - --link=current
    - --depth=1
    {{- if .once }}
    - --one-time
    {{- else }}
    - --period={{ $sync.period }}
    {{- end }}
    {{- if .git.credentials }}
    {{- if hasPrefix "http" .git.repository }}
    - --username=$(GIT_USERNAME)
    - --password-file=/etc/git-credentials/password
    {{- else }}
    - --ssh-key-file=/etc/git-credentials/ssh
    - --ssh-known-hosts-file=/etc/git-credentials/known_hosts
    {{- end }}
    {{- end }}
  {{- $registers := and .registers $sync.registrationSecret }}
  {{- if or $registers (and .git.credentials (hasPrefix "http" .git.repository)) }}
  env:
    {{- if and .git.credentials (hasPrefix "http" .git.repository) }}
    {{- include "switchyard.secretOption" (list "GIT_USERNAME" .git.credentials "username") | nindent 4 }}
    {{- end }}
    {{- if $registers }}
    {{- include "switchyard.secretOption" (list "GITSYNC_WEBHOOK_URL" $sync.registrationSecret "url") | nindent 4 }}
    {{- end }}
  {{- end }}
  resources: {{- include "switchyard.smallResources" . | nindent 4 }}
  securityContext:
    {{- include "switchyard.containerSecurity" . | nindent 4 }}
    # The user of the image: ssh refuses one that has no name in it.
    runAsUser: 65533
  volumeMounts:
    - { name: packs-{{ .git.name }}, mountPath: /git }
    - { name: tmp, mountPath: /tmp }
    {{- if .git.credentials }}
    - { name: git-{{ .git.name }}-credentials, mountPath: /etc/git-credentials, readOnly: true }
    {{- end }}
{{- end }}

{{/* The ports at which the repositories of packs are. */}}
{{- define "switchyard.gitPorts" -}}
{{- $ports := list }}
{{- range .Values.packs.git }}
{{- $scheme := "ssh" }}
{{- $host := "" }}
{{- if contains "://" .repository }}
{{- $scheme = get (urlParse .repository) "scheme" }}
{{- $host = get (urlParse .repository) "host" }}
{{- end }}
{{- $port := regexFind ":[0-9]+$" $host | trimPrefix ":" | default (get (dict "https" "443" "http" "80" "ssh" "22" "git" "9418") $scheme) }}
{{- if $port }}{{ $ports = append $ports (int $port) }}{{ end }}
{{- end }}
{{- $ports | uniq | toJson }}
{{- end }}
