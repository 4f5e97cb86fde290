{{- define "assigner.tlsMode" -}}
{{ include "berth.tlsMode" (list . .Values.tls.mode) }}
{{- end }}

{{- /* The Secret that holds the serving certificate, whoever makes it. */}}
{{- define "assigner.tlsSecretName" -}}
{{- if eq (include "assigner.tlsMode" .) "existingSecret" }}{{ .Values.tls.secretName }}{{ else }}{{ include "berth.fullname" . }}-tls{{ end }}
{{- end }}
