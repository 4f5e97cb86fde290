{{- /* The second scheduler's pods are told apart from the extender's by name: neither selector matches the other's. */}}
{{- define "extender.schedulerSelectorLabels" -}}
app.kubernetes.io/name: {{ .Values.scheduler.name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "extender.url" -}}
http://{{ include "berth.fullname" . }}.{{ .Release.Namespace }}:{{ .Values.service.port }}/scheduler
{{- end }}
