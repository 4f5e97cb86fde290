{{- /* The annotation by which cert-manager fills in who is to be trusted: (list . CERTIFICATE). */}}
{{- define "berth.injectCa" -}}
annotations:
  cert-manager.io/inject-ca-from: {{ (first .).Release.Namespace }}/{{ last . }}
{{- end }}

{{- /*
Whom the API server is to trust: the bundle that is given, else the ca.crt of the Secret with the certificate, where it is there
already: (list . BUNDLE SECRET). Nothing without a cluster, as in helm template.
*/}}
{{- define "berth.caBundle" -}}
{{- $given := index . 1 }}
{{- if $given }}
{{- $given }}
{{- else }}
{{- $secret := lookup "v1" "Secret" (first .).Release.Namespace (last .) | default dict }}
{{- get ($secret.data | default dict) "ca.crt" }}
{{- end }}
{{- end }}

{{- /* What to do where nobody knows whom to trust: (list . BUNDLE ITS-NAME SECRET). */}}
{{- define "berth.trustNote" -}}
{{- if not (include "berth.caBundle" (list (first .) (index . 1) (last .))) }}
WARNING: nobody said who signed it ({{ index . 2 }}), and there is no Secret {{ last . }} with a ca.crt yet: the API server trusts the
webhook only if a well-known authority did. Make that Secret, and run helm upgrade.
{{- end }}
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
