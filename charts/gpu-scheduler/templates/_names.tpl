{{- define "gpu-scheduler.tlsMode" -}}
{{ include "berth.tlsMode" (list . .Values.webhook.tls.mode) }}
{{- end }}

{{- /* The Secret that holds the webhook's certificate. A self-made one has a name of its own: yours is never touched. */}}
{{- define "gpu-scheduler.secretName" -}}
{{ include "berth.fullname" . }}-webhook-{{ if eq (include "gpu-scheduler.tlsMode" .) "selfSigned" }}self-signed{{ else }}tls{{ end }}
{{- end }}

{{- /* Only one of several replicas places pods. */}}
{{- define "gpu-scheduler.elects" -}}
{{- if gt (int .Values.replicaCount) 1 }}true{{ end }}
{{- end }}

{{- define "gpu-scheduler.selfSigned" -}}
{{- if and .Values.webhook.enabled (eq (include "gpu-scheduler.tlsMode" .) "selfSigned") }}true{{ end }}
{{- end }}
