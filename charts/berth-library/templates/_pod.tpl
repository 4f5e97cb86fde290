{{- define "berth.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "berth.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* (list . EXTRA): a pod template's metadata; EXTRA are more labels, a text, perhaps empty. */}}
{{- define "berth.podMetadata" -}}
{{- $root := first . -}}
labels:
  {{- include "berth.labels" $root | nindent 2 }}
  {{- with last . }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with $root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- include "berth.annotations" $root.Values.podAnnotations }}
{{- end }}

{{- /* How a pod's spec begins: who it is, who may pull its image, how important it is. */}}
{{- define "berth.podIdentity" -}}
serviceAccountName: {{ include "berth.serviceAccountName" . }}
{{- include "berth.imagePullSecrets" . }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- if hasKey .Values "terminationGracePeriodSeconds" }}
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
{{- end }}
securityContext:
  {{- include "berth.podSecurityContext" . | nindent 2 }}
{{- end }}

{{- /* How a container begins. */}}
{{- define "berth.containerImage" -}}
image: {{ include "berth.image" . }}
imagePullPolicy: {{ include "berth.imagePullPolicy" . }}
{{- end }}

{{- /* How a container ends, save for what else it mounts: our program writes nowhere but to /tmp. */}}
{{- define "berth.containerRoom" -}}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  {{- include "berth.containerSecurityContext" . | nindent 2 }}
volumeMounts:
- name: tmp
  mountPath: /tmp
{{- end }}

{{- define "berth.tmpVolume" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- end }}

{{- /* (dict "port" NAME "live" PATH "https" WHETHER) */}}
{{- define "berth.probes" -}}
readinessProbe:
  httpGet:
    path: /readyz
    port: {{ .port }}
    {{- if .https }}
    scheme: HTTPS
    {{- end }}
  periodSeconds: 5
  timeoutSeconds: 2
livenessProbe:
  httpGet:
    path: {{ .live }}
    port: {{ .port }}
    {{- if .https }}
    scheme: HTTPS
    {{- end }}
  initialDelaySeconds: 30
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- /* Where a pod may run, as its values say. */}}
{{- define "berth.podPlace" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The same for replicas, which keep apart from each other where they can unless the values say otherwise. */}}
{{- define "berth.replicaPlace" -}}
{{- include "berth.podPlace" . }}
{{- if not .Values.affinity }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "berth.selectorLabels" . | nindent 12 }}
{{- end }}
{{- end }}

{{- /* (list . REPLICAS): how a Deployment begins whose new pods are ready before old ones go. */}}
{{- define "berth.deploymentRoll" -}}
{{- $root := first . -}}
replicas: {{ last . }}
selector:
  matchLabels:
    {{- include "berth.selectorLabels" $root | nindent 4 }}
strategy:
  rollingUpdate:
    maxUnavailable: 0
    maxSurge: 1
{{- end }}
