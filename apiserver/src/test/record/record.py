#!/usr/bin/env python3
"""Asks a real kube-apiserver what it makes of each case of answers.jsonl and writes its answers back beside them.

usage: record.py URL TOKEN FILE

A case is one line: name, path, create, and where an update is told: update (a merge patch on what was created, sent as
PUT) and subresource. The namespace rules-x must exist.
"""
import copy
import json
import ssl
import sys
import urllib.error
import urllib.request

url, token, file = sys.argv[1:]
context = ssl._create_unverified_context()


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    request = urllib.request.Request(url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, context=context, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        return json.load(refused)


def merged(value, patch):
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for key, part in patch.items():
        if part is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), part)
    return result


def lasting(answer):
    answer = copy.deepcopy(answer)
    for key in ("managedFields", "uid", "resourceVersion", "creationTimestamp"):
        answer.get("metadata", {}).pop(key, None)
    return answer


cases = [json.loads(line) for line in open(file)]
for case in cases:
    made = call("POST", case["path"], case["create"])
    case["created"] = lasting(made)
    if made["kind"] == "Status":
        continue
    place = case["path"] + "/" + made["metadata"]["name"]
    if "update" in case:
        target = place + "/" + case["subresource"] if "subresource" in case else place
        case["updated"] = lasting(call("PUT", target, merged(made, case["update"])))
    call("DELETE", place + "?gracePeriodSeconds=0&propagationPolicy=Background")
with open(file, "w") as out:
    for case in cases:
        out.write(json.dumps(case, separators=(",", ":")) + "\n")
print(len(cases), "cases recorded")
