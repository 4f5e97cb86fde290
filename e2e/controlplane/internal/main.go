// Prints how the API server's internal types look as JSON, beside the names that the same fields have on the wire: some
// of the server's messages quote internal values.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/policy"
	resourceapi "k8s.io/kubernetes/pkg/apis/resource"
)

var pairs = [][2]any{
	{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
	{core.Taint{}, corev1.Taint{}},
	{core.NodeAddress{}, corev1.NodeAddress{}},
	{apps.DeploymentStrategy{}, appsv1.DeploymentStrategy{}},
	{apps.DaemonSetUpdateStrategy{}, appsv1.DaemonSetUpdateStrategy{}},
	{apps.StatefulSetUpdateStrategy{}, appsv1.StatefulSetUpdateStrategy{}},
	{batch.JobSpec{}, batchv1.JobSpec{}},
	{policy.PodDisruptionBudgetSpec{}, policyv1.PodDisruptionBudgetSpec{}},
	{resourceapi.ResourceClaimSpec{}, resourcev1.ResourceClaimSpec{}},
	{resourceapi.ResourceClaimTemplateSpec{}, resourcev1.ResourceClaimTemplateSpec{}},
	{resourceapi.AllocationResult{}, resourcev1.AllocationResult{}},
	{resourceapi.ResourceSliceSpec{}, resourcev1.ResourceSliceSpec{}},
	{apiextensions.CustomResourceDefinitionVersion{}, apiextensionsv1.CustomResourceDefinitionVersion{}},
}

var opaque = map[reflect.Type]bool{
	reflect.TypeOf(resource.Quantity{}):             true,
	reflect.TypeOf(metav1.Time{}):                   true,
	reflect.TypeOf(metav1.MicroTime{}):              true,
	reflect.TypeOf(metav1.LabelSelector{}):          true,
	reflect.TypeOf(intstr.IntOrString{}):            true,
	reflect.TypeOf(runtime.RawExtension{}):          true,
	reflect.TypeOf(apiextensions.JSONSchemaProps{}): true,
}

var seen = map[string][]string{}

func shape(t, wire reflect.Type) string {
	for wire != nil && wire.Kind() == reflect.Pointer && t.Kind() != reflect.Pointer {
		wire = wire.Elem()
	}
	for wire != nil && wire.Kind() != reflect.Pointer && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if opaque[t] {
		return "x"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shape(t.Elem(), wire.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "x"
		}
		return "[" + shape(t.Elem(), wire.Elem())
	case reflect.Map:
		return "{" + shape(t.Elem(), wire.Elem())
	case reflect.Struct:
		walk(t, wire)
		return "@" + name(t)
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	default:
		return "n"
	}
}

func name(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	return path[len(path)-1] + "." + t.Name()
}

func walk(t, wire reflect.Type) {
	if _, done := seen[name(t)]; done {
		return
	}
	seen[name(t)] = nil
	seen[name(t)] = fields(t, wire)
}

func fields(t, wire reflect.Type) []string {
	var lines []string
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "-" || !field.IsExported() {
			continue
		}
		other, known := wire.FieldByName(field.Name)
		if field.Anonymous && tag == "" {
			if known {
				lines = append(lines, fields(field.Type, other.Type)...)
			} else {
				lines = append(lines, fields(field.Type, wire)...)
			}
			continue
		}
		key := tag
		if key == "" {
			key = field.Name
		}
		omit := "!"
		if strings.Contains(options, "omit") {
			omit = "e"
		}
		if !known {
			lines = append(lines, fmt.Sprintf("%s - %s*x", key, omit))
			continue
		}
		wireName, _, _ := strings.Cut(other.Tag.Get("json"), ",")
		lines = append(lines, fmt.Sprintf("%s %s %s%s", key, wireName, omit, shape(field.Type, other.Type)))
	}
	return lines
}

func main() {
	for _, pair := range pairs {
		shape(reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1]))
	}
	var names []string
	for key := range seen {
		names = append(names, key)
	}
	sort.Strings(names)
	for _, key := range names {
		fmt.Printf("type: %s\n", key)
		for _, line := range seen[key] {
			fmt.Println(line)
		}
	}
}
