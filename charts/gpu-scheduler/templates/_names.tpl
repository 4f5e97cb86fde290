{{- /* The Secret that holds the webhook's certificate. A self-made one has a name of its own: yours is never touched. */}}
{{- define "gpu-scheduler.secretName" -}}
{{ include "berth.fullname" . }}-webhook-{{ if eq .Values.webhook.tls.mode "selfSigned" }}self-signed{{ else }}tls{{ end }}
{{- end }}

{{- /* Only one of several replicas places pods. */}}
{{- define "gpu-scheduler.elects" -}}
{{- if gt (int .Values.replicaCount) 1 }}true{{ end }}
{{- end }}

{{- define "gpu-scheduler.selfSigned" -}}
{{- if and .Values.webhook.enabled (eq .Values.webhook.tls.mode "selfSigned") }}true{{ end }}
{{- end }}
