{{- /* Whether what is learned lies in a database that replicas share. */}}
{{- define "scheduler-agent.shared" -}}
{{- if or .Values.store.url .Values.store.existingSecret }}true{{ end }}
{{- end }}

{{- define "scheduler-agent.checked" -}}
{{- if and (not (include "scheduler-agent.shared" .)) (or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 1)) }}
{{- fail "more than one replica needs store.url or store.existingSecret: each would learn for itself, and a file has one owner" }}
{{- end }}
{{- end }}
