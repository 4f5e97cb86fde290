// Command protobuf prints how Kubernetes' types are laid out in protobuf, one field a line, so that the embedded API
// server can read the bodies that Go clients send by default. It asks the types themselves, by reflection.
//
//	message <TAB> number <TAB> JSON name <TAB> type <TAB> flags (p: pointer, o: omitempty)
//	apiVersion <TAB> kind <TAB> message
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	"k8s.io/client-go/kubernetes/scheme"
)

var special = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "microtime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "json",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intorstring",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "json",
}

var served = map[string]bool{
	"v1": true, "apps/v1": true, "batch/v1": true, "coordination.k8s.io/v1": true, "events.k8s.io/v1": true,
	"scheduling.k8s.io/v1": true, "resource.k8s.io/v1": true, "admissionregistration.k8s.io/v1": true,
	"rbac.authorization.k8s.io/v1": true, "policy/v1": true, "networking.k8s.io/v1": true, "autoscaling/v1": true,
	"autoscaling/v2": true, "discovery.k8s.io/v1": true, "storage.k8s.io/v1": true, "node.k8s.io/v1": true,
	"authentication.k8s.io/v1": true, "authorization.k8s.io/v1": true, "resource.k8s.io/v1beta2 DeviceTaintRule": true,
}

var lines = map[string][]string{}

func name(t reflect.Type) string {
	path := strings.TrimPrefix(strings.TrimPrefix(t.PkgPath(), "k8s.io/api/"), "k8s.io/apimachinery/pkg/")
	return strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

func typeOf(t reflect.Type) string {
	if word, ok := special[t.PkgPath()+"."+t.Name()]; ok {
		return word
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64, reflect.Int, reflect.Uint32, reflect.Uint64, reflect.Uint8:
		return "int"
	case reflect.Float64, reflect.Float32:
		return "double"
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Map:
		return "%" + typeOf(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		if t.Name() != "" { // a named slice, such as ExtraValue, is a message with one repeated field
			return "items:" + typeOf(t.Elem())
		}
		return "*" + typeOf(t.Elem())
	case reflect.Struct:
		walk(t)
		return name(t)
	}
	panic("no protobuf for " + t.String())
}

func walk(t reflect.Type) {
	message := name(t)
	if _, seen := lines[message]; seen {
		return
	}
	lines[message] = nil
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		tag := field.Tag.Get("protobuf")
		if tag == "" || tag == "-" {
			continue // TypeMeta travels in the envelope
		}
		number := strings.Split(tag, ",")[1]
		json := strings.Split(field.Tag.Get("json"), ",")
		flags := ""
		if field.Type.Kind() == reflect.Pointer {
			flags += "p"
		}
		for _, option := range json[1:] {
			if option == "omitempty" || option == "omitzero" {
				flags += "o"
				break
			}
		}
		if json[0] == "" { // embedded: its fields are the message's own in JSON
			flags += "e"
		}
		lines[message] = append(lines[message], strings.Join([]string{message, number, json[0], typeOf(field.Type), flags}, "\t"))
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var roots []string
	for kind, t := range scheme.Scheme.AllKnownTypes() {
		apiVersion := kind.GroupVersion().String()
		if !(served[apiVersion] || served[apiVersion+" "+kind.Kind]) || strings.HasSuffix(kind.Kind, "List") || kind.Kind == "WatchEvent" {
			continue
		}
		if t.Kind() == reflect.Struct {
			walk(t)
			roots = append(roots, strings.Join([]string{apiVersion, kind.Kind, name(t)}, "\t"))
		}
	}
	sort.Strings(roots)
	for _, root := range roots {
		fmt.Fprintln(out, root)
	}
	var messages []string
	for message := range lines {
		messages = append(messages, message)
	}
	sort.Strings(messages)
	for _, message := range messages {
		for _, line := range lines[message] {
			fmt.Fprintln(out, line)
		}
	}
}
