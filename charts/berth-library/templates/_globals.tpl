{{- /* What `global` says holds for every door; where it says nothing, a door's own values do. */}}
{{- define "berth.image" -}}
{{- $global := dig "image" dict (.Values.global | default dict) -}}
{{ $global.repository | default .Values.image.repository }}:{{ $global.tag | default .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "berth.imagePullPolicy" -}}
{{ dig "image" "pullPolicy" "" (.Values.global | default dict) | default .Values.image.pullPolicy }}
{{- end }}

{{- /* The lines of a pod's spec, if there are any. */}}
{{- define "berth.imagePullSecrets" -}}
{{- with concat (dig "imagePullSecrets" list (.Values.global | default dict)) .Values.imagePullSecrets | uniq }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* (list . MODE): who makes the serving certificate. */}}
{{- define "berth.tlsMode" -}}
{{ dig "tls" "mode" "" ((first .).Values.global | default dict) | default (last .) }}
{{- end }}
