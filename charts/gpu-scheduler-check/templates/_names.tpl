{{- define "gpu-scheduler-check.labels" -}}
{{ include "berth.labels" . }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}
