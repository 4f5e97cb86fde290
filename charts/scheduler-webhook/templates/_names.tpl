{{- /* Who makes the certificate: existingSecret, certManager or selfSigned. */}}
{{- define "scheduler-webhook.tlsMode" -}}
{{- if .Values.tls.existingSecret }}existingSecret{{ else if .Values.tls.certManager.enabled }}certManager{{ else }}selfSigned{{ end }}
{{- end }}

{{- define "scheduler-webhook.tlsSecretName" -}}
{{- .Values.tls.existingSecret | default (printf "%s-tls" (include "berth.fullname" .)) }}
{{- end }}
