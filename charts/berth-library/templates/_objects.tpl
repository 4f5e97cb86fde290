{{- define "berth.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "berth.metadata" (list . (include "berth.serviceAccountName" .)) | nindent 2 }}
  {{- include "berth.annotations" .Values.serviceAccount.annotations | nindent 2 }}
{{- end }}

{{- /* How a Service begins; its ports follow. */}}
{{- define "berth.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "berth.metadata" (list . (include "berth.fullname" .)) | nindent 2 }}
  {{- include "berth.annotations" .Values.service.annotations | nindent 2 }}
spec:
  type: {{ .Values.service.type }}
  selector:
    {{- include "berth.selectorLabels" . | nindent 4 }}
{{- end }}

{{- define "berth.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "berth.metadata" (list . (include "berth.fullname" .)) | nindent 2 }}
spec:
  minAvailable: {{ .Values.podDisruptionBudget.minAvailable }}
  selector:
    matchLabels:
      {{- include "berth.selectorLabels" . | nindent 6 }}
{{- end }}

{{- /* (list . REPLICAS): the same where there are several, of which one must stay. */}}
{{- define "berth.replicasDisruptionBudget" -}}
{{- $root := first . -}}
{{- if and $root.Values.podDisruptionBudget.enabled (gt (int (last .)) 1) }}
{{- include "berth.podDisruptionBudget" $root }}
{{- end }}
{{- end }}

{{- /* How a NetworkPolicy begins; its policyTypes and rules follow. */}}
{{- define "berth.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "berth.metadata" (list . (include "berth.fullname" .)) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "berth.selectorLabels" . | nindent 6 }}
{{- end }}

{{- /* (dict "root" . "port" NAME "endpoint" MORE): asked for by the door's values, or by global for all doors. */}}
{{- define "berth.serviceMonitor" -}}
{{- $own := .root.Values.serviceMonitor -}}
{{- $global := dig "serviceMonitor" dict (.root.Values.global | default dict) -}}
{{- if or $own.enabled $global.enabled }}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "berth.metadata" (list .root (include "berth.fullname" .root)) | nindent 2 }}
    {{- with merge dict ($own.labels | default dict) ($global.labels | default dict) }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- include "berth.annotations" $own.annotations | nindent 2 }}
spec:
  selector:
    matchLabels:
      {{- include "berth.selectorLabels" .root | nindent 6 }}
  endpoints:
  - port: {{ .port }}
    path: /metrics
    # Quota is counted for each namespace: the label is the quota's, not the pod's.
    honorLabels: true
    interval: {{ $global.interval | default $own.interval }}
    {{- with $own.scrapeTimeout }}
    scrapeTimeout: {{ . }}
    {{- end }}
    {{- with .endpoint }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
