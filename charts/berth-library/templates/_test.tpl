{{- /* `helm test`: what answers under a URL is ready; HTTPS under a certificate that whoever signed it is trusted for.
       (dict "root" . "url" URL "caSecret" SECRET) */}}
{{- define "berth.probePod" -}}
apiVersion: v1
kind: Pod
metadata:
  name: {{ include "berth.fullname" .root }}-test
  namespace: {{ .root.Release.Namespace }}
  labels:
    app.kubernetes.io/name: {{ include "berth.name" .root }}-test
    app.kubernetes.io/instance: {{ .root.Release.Name }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  restartPolicy: Never
  serviceAccountName: {{ include "berth.serviceAccountName" .root }}
  automountServiceAccountToken: false
  {{- include "berth.imagePullSecrets" .root | nindent 2 }}
  securityContext:
    {{- include "berth.podSecurityContext" .root | nindent 4 }}
  containers:
  - name: probe
    {{- include "berth.containerImage" .root | nindent 4 }}
    args:
    - probe
    - {{ .url }}
    {{- if .caSecret }}
    - --ca-file=/tls/ca.crt
    {{- end }}
    securityContext:
      {{- include "berth.containerSecurityContext" .root | nindent 6 }}
    volumeMounts:
    - name: tmp
      mountPath: /tmp
    {{- if .caSecret }}
    - name: tls
      mountPath: /tls
      readOnly: true
    {{- end }}
  volumes:
  {{- include "berth.tmpVolume" . | nindent 2 }}
  {{- with .caSecret }}
  - name: tls
    secret:
      secretName: {{ . }}
      items:
      - key: ca.crt
        path: ca.crt
  {{- end }}
{{- end }}
