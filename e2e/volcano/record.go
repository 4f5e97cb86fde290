// Prints the body that Volcano's extender plugin sends to its predicate verb: the plugin's own types, filled by Volcano's
// own constructors and encoded as the plugin encodes them. See the script record beside this file.
package main

import (
	"encoding/json"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"volcano.sh/volcano/pkg/scheduler/api"
)

// The plugin's PredicateRequest, the same in every version; importing the plugin would build all of Volcano.
type predicateRequest struct {
	Task *api.TaskInfo `json:"task"`
	Node *api.NodeInfo `json:"node"`
}

func main() {
	amounts := func(cores, memory string) v1.ResourceList {
		return v1.ResourceList{
			"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("110"),
			"tencent.com/vcuda-core": resource.MustParse(cores), "tencent.com/vcuda-memory": resource.MustParse(memory),
		}
	}
	wanted := amounts("50", "8")
	delete(wanted, "pods")
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "recorded", Namespace: "default", UID: "00000000-0000-4000-8000-000000000001",
			Annotations: map[string]string{"scheduling.k8s.io/group-name": "recorded"},
		},
		Spec: v1.PodSpec{
			SchedulerName: "volcano",
			Containers: []v1.Container{{
				Name: "main", Image: "example", Resources: v1.ResourceRequirements{Limits: wanted, Requests: wanted},
			}},
		},
		Status: v1.PodStatus{Phase: v1.PodPending},
	}
	node := &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "node-a", UID: "00000000-0000-4000-8000-000000000002"},
		Status: v1.NodeStatus{
			Capacity: amounts("400", "64"), Allocatable: amounts("400", "64"),
			Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}},
		},
	}
	encoded, err := json.Marshal(&predicateRequest{Task: api.NewTaskInfo(pod), Node: api.NewNodeInfo(node)})
	if err != nil {
		panic(err)
	}
	if _, err := os.Stdout.Write(append(encoded, '\n')); err != nil {
		panic(err)
	}
}
