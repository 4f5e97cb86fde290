// Prints how Go writes each served type as JSON: which fields are dropped when empty, which always appear, and which
// hold quantities, times or bytes. OpenAPI does not say it, and the embedded API server must answer the same.
package main

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

var scalars = map[reflect.Type]string{
	reflect.TypeOf(resource.Quantity{}):                          "q",
	reflect.TypeOf(corev1.ResourceList{}):                        "R",
	reflect.TypeOf(metav1.Time{}):                                "t",
	reflect.TypeOf(metav1.MicroTime{}):                           "u",
	reflect.TypeOf(metav1.Duration{}):                            "d",
	reflect.TypeOf(intstr.IntOrString{}):                         "i",
	reflect.TypeOf(metav1.FieldsV1{}):                            "x",
	reflect.TypeOf(runtime.RawExtension{}):                       "x",
	reflect.TypeOf(apiextensions.JSON{}):                         "x",
	reflect.TypeOf(apiextensions.JSONSchemaPropsOrBool{}):        "x",
	reflect.TypeOf(apiextensions.JSONSchemaPropsOrArray{}):       "x",
	reflect.TypeOf(apiextensions.JSONSchemaPropsOrStringArray{}): "x",
}

var seen = map[string][]string{}

func name(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	return strings.Join(path[max(0, len(path)-2):], "/") + "." + t.Name()
}

func shape(t reflect.Type) string {
	if s, ok := scalars[t]; ok {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shape(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "y"
		}
		return "[" + shape(t.Elem())
	case reflect.Map:
		return "{" + t.Key().String() + "|" + shape(t.Elem())
	case reflect.Struct:
		walk(t)
		return "@" + name(t)
	case reflect.String:
		return "s" + t.String()
	case reflect.Bool:
		return "b" + t.String()
	case reflect.Interface:
		return "x"
	default:
		return "n" + t.String()
	}
}

func walk(t reflect.Type) {
	if _, done := seen[name(t)]; done {
		return
	}
	seen[name(t)] = nil
	seen[name(t)] = fields(t)
}

func fields(t reflect.Type) []string {
	var lines []string
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "-" || !field.IsExported() {
			continue
		}
		if tag == "" {
			lines = append(lines, fields(field.Type)...)
			continue
		}
		omit := "!"
		if strings.Contains(options, "omitzero") {
			omit = "z"
		} else if strings.Contains(options, "omitempty") {
			omit = "e"
		}
		lines = append(lines, fmt.Sprintf("%s %s%s", tag, omit, shape(field.Type)))
	}
	return lines
}

func main() {
	must(apiextensions.AddToScheme(scheme.Scheme))
	roots := map[string]string{}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || strings.HasSuffix(gvk.Kind, "List") || strings.HasSuffix(gvk.Kind, "Options") || gvk.Kind == "WatchEvent" {
			continue
		}
		if !served[gvk.GroupVersion().String()] && !served[gvk.GroupVersion().String()+" "+gvk.Kind] {
			continue
		}
		roots[gvk.GroupVersion().String()+" "+gvk.Kind] = shape(t)
	}
	print(roots)
}

var served = map[string]bool{}

func init() {
	for _, each := range os.Args[1:] {
		served[each] = true
	}
}

func print(roots map[string]string) {
	for _, key := range sorted(roots) {
		fmt.Printf("kind: %s %s\n", key, roots[key][1:])
	}
	for _, key := range sorted(seen) {
		fmt.Printf("type: %s\n", key)
		for _, line := range seen[key] {
			fmt.Println(line)
		}
	}
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
