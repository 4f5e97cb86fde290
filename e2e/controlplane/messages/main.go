// Writes lists of pods, nodes and leases, watches of the latter two, and a status, as an API server does, each as JSON and as protobuf, so that what reads the one
// can be tested to understand the same as what reads the other: with every field that Go's types have filled ("full"),
// and with every part there but nothing in it ("hollow").
//
//	go run ./messages ../../kube/src/test/resources/dev/berth/kube/proto
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/framer"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	core         = corev1.SchemeGroupVersion
	coordination = coordinationv1.SchemeGroupVersion
	scheme       = runtime.NewScheme()
	quantities   = []string{"1500m", "3Gi", "1e3", "7", "100n", "0.5", "128974848"}
)

// filler gives every field a value of its own, so that two that are mixed up do not look the same.
type filler struct{ count int64 }

func (f *filler) next() int64 {
	f.count++
	return f.count
}

func (f *filler) moment() time.Time {
	n := f.next()
	return time.Unix(1700000000+n*86399, n*1000).UTC()
}

func (f *filler) special(v reflect.Value) bool {
	switch v.Interface().(type) {
	case metav1.TypeMeta:
	case metav1.Time:
		v.Set(reflect.ValueOf(metav1.NewTime(f.moment().Truncate(time.Second))))
	case metav1.MicroTime:
		v.Set(reflect.ValueOf(metav1.NewMicroTime(f.moment())))
	case resource.Quantity:
		v.Set(reflect.ValueOf(resource.MustParse(quantities[f.next()%int64(len(quantities))])))
	case metav1.FieldsV1:
		v.Set(reflect.ValueOf(metav1.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{}}}`)}))
	case intstr.IntOrString:
		v.Set(reflect.ValueOf(intstr.FromInt32(int32(f.next()))))
	default:
		return false
	}
	return true
}

func (f *filler) fill(v reflect.Value, name string) {
	if f.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), name)
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i), name)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, name)
			f.fill(value, name)
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d ü€", name, f.next()))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32:
		v.SetInt(f.next() * 1000003 % 2147483647)
	case reflect.Int64:
		v.SetInt(f.next() * 1000000007 * (1 - 2*(f.count%2)))
	case reflect.Uint8:
		v.SetUint(uint64(f.next()))
	default:
		panic(name + ": " + v.Type().String())
	}
}

// hollow makes every part and fills none, but for maps that must be there: without entries JSON has null for them.
func hollow(v reflect.Value, tag string) {
	switch v.Interface().(type) {
	case metav1.Time, metav1.MicroTime, resource.Quantity, metav1.FieldsV1:
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		hollow(v.Elem(), "")
	case reflect.Struct:
		for i := range v.NumField() {
			hollow(v.Field(i), v.Type().Field(i).Tag.Get("json"))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			hollow(v.Index(0), "")
		}
	case reflect.Map:
		if !strings.HasSuffix(tag, ",omitempty") {
			(&filler{}).fill(v, "")
		}
	}
}

func check(problem error) {
	if problem != nil {
		panic(problem)
	}
}

func named(as schema.GroupVersion, object runtime.Object) runtime.Object {
	kinds, _, problem := scheme.ObjectKinds(object)
	check(problem)
	object.GetObjectKind().SetGroupVersionKind(as.WithKind(kinds[0].Kind))
	return object
}

// write writes both forms of an object.
func write(folder, name string, as schema.GroupVersion, object runtime.Object) {
	var text, message bytes.Buffer
	named(as, object)
	check(json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{}).Encode(object, &text))
	check(protobuf.NewSerializer(scheme, scheme).Encode(object, &message))
	check(os.WriteFile(filepath.Join(folder, name+".json"), text.Bytes(), 0o644))
	check(os.WriteFile(filepath.Join(folder, name+".pb"), message.Bytes(), 0o644))
}

// watch writes a watch that sees an object come, then a bookmark, then an error.
func watch(folder, name string, as schema.GroupVersion, object, bookmark runtime.Object) {
	var stream bytes.Buffer
	frames := framer.NewLengthDelimitedFrameWriter(&stream)
	for _, event := range []struct {
		kind   string
		object runtime.Object
	}{
		{"ADDED", named(as, object)},
		{"BOOKMARK", named(as, bookmark)},
		{"ERROR", named(core, &metav1.Status{Code: 410, Reason: metav1.StatusReasonExpired, Message: "too old"})},
	} {
		var message bytes.Buffer
		check(protobuf.NewSerializer(scheme, scheme).Encode(event.object, &message))
		said := metav1.WatchEvent{Type: event.kind, Object: runtime.RawExtension{Raw: message.Bytes()}}
		check(protobuf.NewRawSerializer(scheme, scheme).Encode(&said, frames))
	}
	check(os.WriteFile(filepath.Join(folder, name+".watch"), stream.Bytes(), 0o644))
}

func both[T any](folder, name string, as schema.GroupVersion, list func(...T) runtime.Object) {
	var full, empty T
	(&filler{}).fill(reflect.ValueOf(&full).Elem(), "")
	hollow(reflect.ValueOf(&empty).Elem(), "")
	write(folder, name, as, list(full, empty))
}

func main() {
	folder := os.Args[1]
	check(corev1.AddToScheme(scheme))
	check(coordinationv1.AddToScheme(scheme))
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	remaining := int64(7)
	meta := metav1.ListMeta{ResourceVersion: "4711", Continue: "to+be/continued", RemainingItemCount: &remaining}
	both(folder, "pods", core, func(items ...corev1.Pod) runtime.Object {
		return &corev1.PodList{ListMeta: meta, Items: items}
	})
	both(folder, "nodes", core, func(items ...corev1.Node) runtime.Object {
		return &corev1.NodeList{ListMeta: meta, Items: items}
	})
	both(folder, "leases", coordination, func(items ...coordinationv1.Lease) runtime.Object {
		return &coordinationv1.LeaseList{ListMeta: meta, Items: items}
	})
	var status metav1.Status
	(&filler{}).fill(reflect.ValueOf(&status).Elem(), "")
	write(folder, "status", core, &status)
	reached := metav1.ObjectMeta{ResourceVersion: "4712"}
	var node corev1.Node
	(&filler{}).fill(reflect.ValueOf(&node).Elem(), "")
	watch(folder, "nodes", core, &node, &corev1.Node{ObjectMeta: reached})
	var lease coordinationv1.Lease
	(&filler{}).fill(reflect.ValueOf(&lease).Elem(), "")
	watch(folder, "leases", coordination, &lease, &coordinationv1.Lease{ObjectMeta: reached})
}
