{{- /* (list . NAME) */}}
{{- define "berth.emptySecret" -}}
# Empty on purpose: the replicas fill it. Made here, so that they need no right to create any, and so that it goes with the release.
apiVersion: v1
kind: Secret
metadata:
  {{- include "berth.metadata" . | nindent 2 }}
type: Opaque
{{- end }}

{{- /* (list . NAME): made here for the same reason. */}}
{{- define "berth.lease" -}}
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  {{- include "berth.metadata" . | nindent 2 }}
{{- end }}

{{- /*
A Certificate of cert-manager: (dict "root" . "name" NAME "service" NAME "secret" NAME "values" {duration, issuerRef, renewBefore} "shortNames" BOOL
"organization" NAME). Without an issuer, here or in global, a self-signed one is made for this release.
*/}}
{{- define "berth.certificate" -}}
{{- $issuer := dig "tls" "issuerRef" dict (.root.Values.global | default dict) | default .values.issuerRef -}}
{{- $domain := printf "%s.%s" .service .root.Release.Namespace -}}
{{- if not $issuer }}
apiVersion: cert-manager.io/v1
kind: Issuer
metadata:
  {{- include "berth.metadata" (list .root .name) | nindent 2 }}
spec:
  selfSigned: {}
---
{{- end }}
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  {{- include "berth.metadata" (list .root .name) | nindent 2 }}
spec:
  secretName: {{ .secret }}
  duration: {{ .values.duration }}
  {{- with .values.renewBefore }}
  renewBefore: {{ . }}
  {{- end }}
  {{- with .organization }}
  subject:
    organizations: [{{ . }}]
  {{- end }}
  dnsNames:
  {{- if .shortNames }}
  - {{ .service }}
  - {{ $domain }}
  {{- end }}
  - {{ $domain }}.svc
  - {{ $domain }}.svc.cluster.local
  privateKey:
    algorithm: ECDSA
    size: 256
    rotationPolicy: Always
  issuerRef:
    {{- $issuer | default (dict "kind" "Issuer" "name" .name) | toYaml | nindent 4 }}
{{- end }}

{{- /* How a webhook is told where its certificate is: (dict "root" . "mode" MODE "service" NAME "secret" NAME "configuration" NAME "path" PATH
"callers" CONFIGMAP). */}}
{{- define "berth.tlsArguments" -}}
{{- if eq .mode "selfSigned" -}}
{{- if .callers }}
{{- fail "clientCAConfigMap needs a certificate that cert-manager or you keep: not with the door's own" }}
{{- end -}}
- --self-signed
- --service={{ .service }}
- --service-namespace={{ .root.Release.Namespace }}
- --certificate-secret={{ .secret }}
- --mutating-webhook={{ .configuration }}
{{- else -}}
- --tls-cert={{ .path }}/tls.crt
- --tls-key={{ .path }}/tls.key
{{- if .callers }}
- --client-ca=/callers/ca.crt
{{- end }}
{{- end }}
{{- end }}

{{- /* CONFIGMAP: where the container finds the authorities of its callers; nothing for none. */}}
{{- define "berth.callersMount" -}}
{{- if . }}
- name: callers
  mountPath: /callers
  readOnly: true
{{- end }}
{{- end }}

{{- /* CONFIGMAP, for the pod. */}}
{{- define "berth.callersVolume" -}}
{{- if . }}
- name: callers
  configMap:
    name: {{ . }}
{{- end }}
{{- end }}
