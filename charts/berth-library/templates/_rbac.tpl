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

{{- /* (list . NAME): what the console reads, wherever it is served. */}}
{{- define "berth.consoleRoles" -}}
{{- $root := first . -}}
{{- $name := last . -}}
# It reads what the doors read, and writes nothing. Leases in the whole cluster, because the namespace of the assigner's may come later.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  {{- include "berth.clusterMetadata" . | nindent 2 }}
rules:
- apiGroups: [""]
  resources: [nodes, namespaces, pods]
  verbs: [list, watch]
- apiGroups: [berth.dev]
  resources: [nodeledgers]
  verbs: [list, watch]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [list, watch]
- apiGroups: [devmgmtproto.k8s.io]
  resources: [deviceclaims, deviceclasses, devicedrivers, devicepools, deviceprivilegedclaims]
  verbs: [list, watch]
- apiGroups: [resource.k8s.io]
  resources: [deviceclasses, devicetaintrules, resourceclaims, resourceslices]
  verbs: [list, watch]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [list]
---
{{ include "berth.clusterRoleBinding" . }}
---
# The extender's quota, and no other ConfigMap.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: kube-system
  labels:
    {{- include "berth.labels" $root | nindent 4 }}
rules:
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: [gpuquota]
  verbs: [list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: kube-system
  labels:
    {{- include "berth.labels" $root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
{{ include "berth.subjects" $root }}
{{- end }}
