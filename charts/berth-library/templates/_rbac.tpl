{{- define "berth.subjects" -}}
subjects:
- {kind: ServiceAccount, name: {{ include "berth.serviceAccountName" . }}, namespace: {{ .Release.Namespace }}}
{{- end }}

{{- /* (list . NAME): gives the ServiceAccount the ClusterRole of that name. */}}
{{- define "berth.clusterRoleBinding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  {{- include "berth.clusterMetadata" . | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ last . }}
{{ include "berth.subjects" (first .) }}
{{- end }}

{{- /* (list . NAME): gives the ServiceAccount the Role of that name, in the release's namespace. */}}
{{- define "berth.roleBinding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "berth.metadata" . | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ last . }}
{{ include "berth.subjects" (first .) }}
{{- end }}

{{- /* Every door reads and writes who holds what. */}}
{{- define "berth.ledgerRule" -}}
- apiGroups: [berth.dev]
  resources: [nodeledgers]
  verbs: [get, list, watch, create, update]
{{- end }}

{{- /* NAME: who renews a certificate writes it into the webhook's own configuration. */}}
{{- define "berth.caBundleRule" -}}
- apiGroups: [admissionregistration.k8s.io]
  resources: [mutatingwebhookconfigurations]
  resourceNames: [{{ . }}]
  verbs: [get, update]
{{- end }}

{{- /* (list . SECRET): the Secret with the certificate, and the Lease of the replica that renews it. */}}
{{- define "berth.certificateRole" -}}
{{- $root := first . -}}
{{- $name := printf "%s-tls" (include "berth.fullname" $root) -}}
# In its own namespace: the Secret with its certificate, and the Lease of the replica that renews it.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "berth.metadata" (list $root $name) | nindent 2 }}
rules:
- apiGroups: [""]
  resources: [secrets]
  resourceNames: [{{ last . }}]
  verbs: [get, update]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [{{ last . }}]
  verbs: [get, update]
---
{{ include "berth.roleBinding" (list $root $name) }}
{{- end }}
