"""A hook of drf-spectacular: components for what has no name of its own, so that generated clients have one for it.

These are the bodies of requests, and the file that answers a line.
"""

from typing import Any

from games.rules.json_schema import ANSWER_KINDS
from submissions.api.framework.bodies import JSON

Schema = dict[str, Any]
ATTACHMENT = "AttachmentAnswer"


def name_requests(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """Each schema of a body that has a title becomes the component of that name, and so do those within a list."""
    components = result["components"]["schemas"]
    for path in result["paths"].values():
        for operation in path.values():
            content = operation.get("requestBody", {}).get("content", {})
            if JSON in content:
                content[JSON]["schema"] = _named(content[JSON]["schema"], components)
    for path in result.get("webhooks", {}).values():
        for operation in path.values():
            operation["security"] = []  # no scheme of OpenAPI is a signature: the words say how it is checked
    if ATTACHMENT in components:
        raise ValueError(f"two components are called {ATTACHMENT}")
    result = _with_named_attachments(result)
    schemas = {**result["components"]["schemas"], ATTACHMENT: dict(ANSWER_KINDS["attachment"])}
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _with_named_attachments(schema: Any) -> Any:
    """The description with a reference wherever an answer is a file."""
    if schema == ANSWER_KINDS["attachment"]:
        return {"$ref": f"#/components/schemas/{ATTACHMENT}"}
    if isinstance(schema, dict):
        return {name: _with_named_attachments(each) for name, each in schema.items()}
    return [_with_named_attachments(each) for each in schema] if isinstance(schema, list) else schema


def _named(schema: Schema, components: Schema) -> Schema:
    """A reference to the component, if the schema has a title."""
    properties = {name: _with_named_items(each, components) for name, each in schema.get("properties", {}).items()}
    if "title" not in schema:
        return schema
    whole = {**schema, "properties": properties}
    name = whole.pop("title")
    if components.setdefault(name, whole) != whole:
        raise ValueError(f"two bodies are called {name}")
    return {"$ref": f"#/components/schemas/{name}"}


def _with_named_items(schema: Schema, components: Schema) -> Schema:
    """A list of several kinds of objects: each kind by its name; `action` says which it is."""
    kinds = schema.get("items", {}).get("oneOf")
    if not kinds:
        return schema
    named = [_named(kind, components) for kind in kinds]
    actions = (kind["properties"]["action"]["const"] for kind in kinds)
    mapping = {action: each["$ref"] for action, each in zip(actions, named, strict=True)}
    return {**schema, "items": {"oneOf": named, "discriminator": {"propertyName": "action", "mapping": mapping}}}
