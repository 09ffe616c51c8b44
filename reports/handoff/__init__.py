"""A folder that deploys what was promoted: its files, the exact command, and manifests."""

from reports.handoff.deployment import Deployment
from reports.handoff.folder import hand_off

__all__ = ["Deployment", "hand_off"]
