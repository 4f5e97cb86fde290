//go:build tools

// Package helm pins Helm apart from the control plane: the two want different versions of the same libraries.
package helm

import _ "helm.sh/helm/v3/cmd/helm"
