{{- define "pillar.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "pillar.labels" -}}
app.kubernetes.io/name: pillar
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "pillar.selector" -}}
app.kubernetes.io/name: pillar
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "pillar.claim" -}}
{{- default (printf "%s-data" (include "pillar.name" .)) .Values.data.existingClaim -}}
{{- end -}}

{{- /* What every pod says of itself: no rights in the cluster, none on the node. */ -}}
{{- define "pillar.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
imagePullSecrets: {{ toJson .Values.image.pullSecrets }}
nodeSelector: {{ toJson .Values.nodeSelector }}
tolerations: {{ toJson .Values.tolerations }}
{{- end -}}

{{- define "pillar.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- /* Names of files for the keys of the Secret: NAME_FILE is read in place of NAME. */ -}}
{{- define "pillar.secretFiles" -}}
{{- range .Values.secret.keys }}
- name: {{ printf "%s_FILE" . }}
  value: {{ printf "/run/secrets/pillar/%s" . | quote }}
{{- end }}
{{- end -}}
