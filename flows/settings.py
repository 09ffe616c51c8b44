"""Settings that Prefect and its neighbours read when they are imported, hence set before them."""

import os

DEFAULTS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "TQDM_DISABLE": "1",
}
for _name, _value in DEFAULTS.items():
    os.environ.setdefault(_name, _value)
