#!/usr/bin/env bash
# Makes a certificate authority and a certificate for the pinner's webhook, and the manifest of the Secret that its
# chart mounts: `berth certs` under the name, with the files and the variables that the chart's document has.
#
#   NAMESPACE      gpu-scheduler-system
#   SERVICE_NAME   gpu-scheduler-webhook
#   CERT_DIR       ./certs
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
service=${SERVICE_NAME:-gpu-scheduler-webhook}
exec "$home/berth" certs \
  --service "$service" \
  --namespace "${NAMESPACE:-gpu-scheduler-system}" \
  --secret "$service-tls" \
  --out "${CERT_DIR:-./certs}"
