"""Publish to a model repository of the Hugging Face hub (adapter: huggingface_hub).

Address: hf://ORG/NAME. HF_TOKEN is read by the library from the environment, as HF_ENDPOINT is.
A version is a commit with a tag of its name; an alias is a tag that moves. Never tried against
the hub itself: no test here reaches it.
"""

from typing import Any

from reports.publishing.package import Package
from variants.errors import PromotionError


class HubPublisher:
    """Slots of `reports.publishing.package.Publisher`."""

    def __init__(self, address: str) -> None:
        """Take hf://ORG/NAME."""
        from huggingface_hub import HfApi  # noqa: PLC0415  (seconds to load)

        self.repository = address.removeprefix("hf://").strip("/")
        self._api: Any = HfApi()

    def put(self, package: Package) -> str:
        """Upload the folder as one commit, and tag it."""
        self._call("create_repo", private=True, exist_ok=True)
        if package.version not in self._tags():
            about = "; ".join(f"{key} {value}" for key, value in package.about.items())
            made = self._call(
                "upload_folder", folder_path=package.folder, commit_message=about,
                delete_patterns="*",  # what the version before had and this one has not
            )  # fmt: skip
            self._call("create_tag", tag=package.version, revision=made.oid, tag_message=about)
        return f"hf://{self.repository}@{package.version}"

    def point(self, package: Package, alias: str) -> None:
        """Move the alias' tag to the version's commit; between the two steps it means nothing."""
        commit, tag = self._tags()[package.version], f"{package.name}.{alias}"
        if tag in self._tags():
            self._call("delete_tag", tag=tag)
        self._call("create_tag", tag=tag, revision=commit, tag_message=package.version)

    def current(self, name: str, alias: str) -> str | None:
        """Return the version whose commit the alias' tag points to."""
        tags = self._tags()
        commit = tags.get(f"{name}.{alias}")
        return next((tag for tag, one in tags.items() if one == commit and "." not in tag), None)

    def _tags(self) -> dict[str, str]:
        refs = self._call("list_repo_refs")
        return {tag.name: tag.target_commit for tag in refs.tags}

    def _call(self, name: str, **options: object) -> Any:
        try:
            return getattr(self._api, name)(repo_id=self.repository, **options)
        except (OSError, ValueError) as error:  # its HTTP errors are OSErrors
            raise PromotionError(f"hf://{self.repository}: {error}") from error
