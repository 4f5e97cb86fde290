{{- /* Who makes the certificate: existingSecret, certManager or selfSigned. */}}
{{- define "scheduler-webhook.tlsMode" -}}
{{- $own := ternary "certManager" "selfSigned" .Values.tls.certManager.enabled }}
{{- if .Values.tls.existingSecret }}existingSecret{{ else }}{{ include "berth.tlsMode" (list . $own) }}{{ end }}
{{- end }}

{{- define "scheduler-webhook.tlsSecretName" -}}
{{- .Values.tls.existingSecret | default (printf "%s-tls" (include "berth.fullname" .)) }}
{{- end }}
