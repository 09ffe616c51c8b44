"""Talk to a registry over HTTP, and say in one line what it objects to (adapter: httpx)."""

from typing import Any

import httpx

from variants.errors import PromotionError

TIMEOUT_S = 600.0  # for one file


class Rest:
    """One registry; credentials are in no message."""

    def __init__(self, url: str, auth: tuple[str, str] | None, token: str | None) -> None:
        """Take the address, and basic credentials or a bearer token."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.url = url.rstrip("/")
        self._client = httpx.Client(
            base_url=self.url, auth=auth, headers=headers, timeout=TIMEOUT_S, follow_redirects=True
        )

    def ask(self, method: str, path: str, accepted: tuple[int, ...] = (), **what: Any) -> Any:
        """Return the response where it is 2xx or accepted.

        Raises:
            PromotionError: it is not, or nobody answers.
        """
        try:
            response = self._client.request(method, path, **what)
        except httpx.HTTPError as error:
            raise PromotionError(f"{self.url} does not answer: {error}") from error
        if response.is_success or response.status_code in accepted:
            return response
        asked = response.request.url.copy_with(query=None)  # a query may hold a signature
        raise PromotionError(
            f"{method} {asked} answered {response.status_code}: {response.text[:300]}"
        )
