"""LoRA adapters from any source: looked into before anything loads them, then packaged."""

from variants.adapters.audit import audit_adapter
from variants.adapters.package import adapter_key, package_adapter

__all__ = ["adapter_key", "audit_adapter", "package_adapter"]
