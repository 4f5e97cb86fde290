{{- /* What every chart of Berth shares; the same file in each of them, which a test keeps so: a library chart would ask for
       `helm dependency build` before a clone can be installed. */}}

{{- define "berth.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "berth.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "berth.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "berth.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- /* For what has no namespace: two releases of one name in two namespaces do not meet. */}}
{{- define "berth.clusterName" -}}
{{ include "berth.fullname" . }}.{{ .Release.Namespace }}
{{- end }}

{{- define "berth.selectorLabels" -}}
app.kubernetes.io/name: {{ include "berth.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "berth.labels" -}}
{{ include "berth.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: berth
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "berth.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "berth.fullname" .) }}
{{- end }}

{{- define "berth.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* The Secret that holds the serving certificate, whoever makes it. */}}
{{- define "berth.tlsSecretName" -}}
{{- if eq .Values.tls.mode "existingSecret" }}{{ .Values.tls.secretName }}{{ else }}{{ include "berth.fullname" . }}-tls{{ end }}
{{- end }}

{{- define "berth.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "berth.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
