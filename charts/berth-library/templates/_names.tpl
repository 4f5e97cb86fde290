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

{{- define "berth.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "berth.fullname" .) }}
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
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* (list . NAME): an object's metadata, in the release's namespace. */}}
{{- define "berth.metadata" -}}
{{- $root := first . -}}
name: {{ last . }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "berth.labels" $root | nindent 2 }}
{{- end }}

{{- /* (list . NAME): the same for what has no namespace. */}}
{{- define "berth.clusterMetadata" -}}
name: {{ last . }}
labels:
  {{- include "berth.labels" (first .) | nindent 2 }}
{{- end }}

{{- /* Annotations that are perhaps there, as the last part of a metadata. */}}
{{- define "berth.annotations" -}}
{{- with . }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
