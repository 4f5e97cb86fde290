{{- /* The annotation by which cert-manager fills in who is to be trusted: (list . CERTIFICATE). */}}
{{- define "berth.injectCa" -}}
annotations:
  cert-manager.io/inject-ca-from: {{ (first .).Release.Namespace }}/{{ last . }}
{{- end }}

{{- define "berth.createdPods" -}}
rules:
- apiGroups: [""]
  apiVersions: [v1]
  resources: [pods]
  operations: [CREATE]
  scope: Namespaced
{{- end }}

{{- /* A webhook that guards its own pods, or those that it needs, could not be started again after it stopped. */}}
{{- define "berth.otherNamespaces" -}}
namespaceSelector:
  matchExpressions:
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values:
      {{- concat (list "kube-system" .Release.Namespace) .Values.webhook.excludedNamespaces | uniq | toYaml | nindent 6 }}
{{- end }}
