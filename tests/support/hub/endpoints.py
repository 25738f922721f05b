"""Endpoints of the Hub that our publishing and reading use."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote

from tests.support.hub.repository import Hub, RefusedError, Repository

PAGE = 20
"""Entries per page of a tree; the real Hub has 1,000."""
PART = 100_000
"""Size of an upload part; larger files are uploaded in parts."""
LARGE = re.compile(r".*\.parquet")


@dataclass(frozen=True)
class HubRequest:
    """A request whose token is valid."""

    hub: Hub
    method: str
    path: str
    query: dict[str, list[str]]
    body: bytes
    span: str = ""
    """The header `Range`."""


@dataclass(frozen=True)
class Answer:
    """A response of the stand-in."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def json_answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    """Return a response with a JSON body."""
    return Answer(json.dumps(content).encode(), status, headers or {})


def answer(request: HubRequest) -> Answer:
    """Return the response of the endpoint to which the request belongs."""
    for methods, pattern, endpoint in _ENDPOINTS:
        match = re.fullmatch(pattern, request.path)
        if match and request.method in methods.split():
            return endpoint(request, *(unquote(text or "") for text in match.groups()))
    raise RefusedError(404, f"no such endpoint: {request.method} {request.path}")


def store(hub: Hub, path: str, body: bytes) -> Answer:
    """Store a large file that is uploaded whole or in parts."""
    owner, name, kind, *number, oid = path.removeprefix("/store/").split("/")
    if kind == "part":
        hub.parts.setdefault(oid, {})[int(number[0])] = body
        digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
        return Answer(b"", headers={"ETag": f'"{digest}"'})
    if kind == "complete":
        parts = hub.parts.pop(oid)
        body = b"".join(parts[part] for part in sorted(parts))
    hub.repository(f"{owner}/{name}").store(oid, body)
    hub.log.append(f"STORED /{oid}")
    return json_answer({})


def _create(request: HubRequest) -> Answer:
    fields = json.loads(request.body)
    name = f"{fields['organization']}/{fields['name']}"
    if fields["type"] != "dataset":
        raise RefusedError(400, "only datasets here")
    location = {"url": f"{request.hub.address}/datasets/{name}"}
    if name in request.hub.repositories:
        return json_answer(location, 409)
    request.hub.repositories[name] = Repository(name, private=fields.get("visibility") == "private")
    return json_answer(location)


def _validate(request: HubRequest) -> Answer:
    if json.loads(request.body)["content"].startswith("---\n"):
        return json_answer({"errors": [], "warnings": []})
    return json_answer({"errors": [{"message": "no metadata"}], "warnings": []}, 400)


def _refs(request: HubRequest, name: str) -> Answer:
    repository = request.hub.repository(name)
    tags = [
        {"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": commit}
        for tag, commit in repository.tags.items()
    ]
    main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repository.main}
    return json_answer({"branches": [main], "converts": [], "tags": tags})


def _may_write(request: HubRequest, name: str) -> Answer:
    request.hub.repository(name)
    return json_answer({})


def _whoami(request: HubRequest) -> Answer:
    return json_answer({"name": "people", "auth": {"accessToken": {"role": request.hub.role}}})


def _repository(request: HubRequest, name: str, revision: str) -> Answer:
    repository = request.hub.repository(name)
    commit = repository.commit_named(revision or "main")
    files = [{"rfilename": path} for path in repository.commits[commit]]
    private = repository.private
    return json_answer(
        {"id": name, "sha": commit, "private": private, "siblings": files, "tags": []}
    )


def _tree(request: HubRequest, name: str, revision: str, folder: str) -> Answer:
    recursive = request.query.get("recursive", ["false"])[0].lower() in ("true", "1")
    entries = request.hub.repository(name).entries(revision, folder, recursive=recursive)
    start = int(request.query.get("cursor", ["0"])[0])
    headers = {}
    if start + PAGE < len(entries):
        next_page = (
            f"{request.hub.address}{request.path}?recursive={recursive}&cursor={start + PAGE}"
        )
        headers["Link"] = f'<{next_page}>; rel="next"'
    return json_answer(entries[start : start + PAGE], headers=headers)


def _paths(request: HubRequest, name: str, revision: str) -> Answer:
    repository = request.hub.repository(name)
    paths = parse_qs(request.body.decode()).get("paths", [])
    entries = [repository.entry(revision, path) for path in paths]
    return json_answer([entry for entry in entries if entry is not None])


def _modes(request: HubRequest, name: str, revision: str) -> Answer:
    tree = request.hub.repository(name).tree(revision)
    modes: list[dict[str, Any]] = []
    for file in json.loads(request.body)["files"]:
        path, committed_file = file["path"], tree.get(file["path"])
        mode = "lfs" if LARGE.fullmatch(path) or file["size"] > PART else "regular"
        oid = committed_file.etag if committed_file else None
        modes.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
    return json_answer({"files": modes})


def _batch(request: HubRequest, name: str) -> Answer:
    repository = request.hub.repository(name)
    objects: list[dict[str, Any]] = []
    for requested_object in json.loads(request.body)["objects"]:
        oid, size = requested_object["oid"], requested_object["size"]
        objects.append({"oid": oid, "size": size})
        if oid in repository.large:
            continue
        store_url = f"{request.hub.address}/store/{name}"
        upload: dict[str, Any] = {"href": f"{store_url}/whole/{oid}"}
        if size > PART:
            numbers = range(1, -(-size // PART) + 1)
            parts = {str(number): f"{store_url}/part/{number}/{oid}" for number in numbers}
            upload = {
                "href": f"{store_url}/complete/{oid}",
                "header": {"chunk_size": str(PART), **parts},
            }
        verify = {"href": f"{request.hub.address}/datasets/{name}.git/info/lfs/verify"}
        objects[-1]["actions"] = {"upload": upload, "verify": verify}
    return json_answer({"transfer": "basic", "objects": objects})


def _verify(request: HubRequest, name: str) -> Answer:
    requested_object = json.loads(request.body)
    if (
        len(request.hub.repository(name).large.get(requested_object["oid"], b""))
        != requested_object["size"]
    ):
        raise RefusedError(404, "no such object")
    return json_answer({})


def _commit(request: HubRequest, name: str, revision: str) -> Answer:
    if revision != "main":
        raise RefusedError(400, "only main is committed to")
    oid = request.hub.repository(name).commit(request.body)
    commit_url = f"{request.hub.address}/datasets/{name}/commit/{oid}"
    return json_answer({"success": True, "commitOid": oid, "commitUrl": commit_url})


def _set_tag(request: HubRequest, name: str, revision: str) -> Answer:
    repository, tag = request.hub.repository(name), json.loads(request.body)["tag"]
    if tag in repository.tags:
        raise RefusedError(409, f"Tag {tag} already exists")
    repository.tags[tag] = repository.commit_named(revision)
    return json_answer({})


def _resolve(request: HubRequest, name: str, revision: str, path: str) -> Answer:
    repository = request.hub.repository(name)
    blob = repository.blob(revision, path)
    content = blob.content
    headers = {"ETag": f'"{blob.etag}"', "X-Repo-Commit": repository.commit_named(revision)}
    if blob.large:
        content = request.hub.spoil(content) if request.hub.spoil else content
        headers |= {"X-Linked-Etag": f'"{blob.etag}"', "X-Linked-Size": str(len(content))}
    span = re.fullmatch(r"bytes=(\d+)-(\d*)", request.span)
    if span is None:
        return Answer(content, 200, headers)
    start, end = int(span[1]), int(span[2] or len(content) - 1)
    headers["Content-Range"] = f"bytes {start}-{end}/{len(content)}"
    return Answer(content[start : end + 1], 206, headers)


_NAME = r"([\w.-]+/[\w.-]+)"
_API = f"/api/datasets/{_NAME}"
_ENDPOINTS: tuple[tuple[str, str, Callable[..., Answer]], ...] = (
    ("POST", "/api/repos/create", _create),
    ("POST", "/api/validate-yaml", _validate),
    ("GET", "/api/whoami-v2", _whoami),
    ("GET", f"{_API}/auth-check/write", _may_write),
    ("GET", f"{_API}/refs", _refs),
    ("GET", rf"{_API}(?:/revision/([^/]+))?", _repository),
    ("GET", rf"{_API}/tree/([^/]+)(?:/(.+))?", _tree),
    ("POST", f"{_API}/paths-info/([^/]+)", _paths),
    ("POST", f"{_API}/preupload/([^/]+)", _modes),
    ("POST", f"{_API}/commit/([^/]+)", _commit),
    ("POST", f"{_API}/tag/([^/]+)", _set_tag),
    ("POST", rf"/datasets/{_NAME}\.git/info/lfs/objects/batch", _batch),
    ("POST", rf"/datasets/{_NAME}\.git/info/lfs/verify", _verify),
    ("GET HEAD", f"/datasets/{_NAME}/resolve/([^/]+)/(.+)", _resolve),
)
