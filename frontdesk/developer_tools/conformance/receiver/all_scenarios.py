"""The scenarios of the receiver, in the order in which they run."""

from frontdesk.developer_tools.conformance.receiver import bodies, connections, event_types, repeats, signatures
from frontdesk.developer_tools.conformance.scenarios import Scenario

_FILES = (bodies, signatures, connections, event_types, repeats)  # the last one looks at what was refused before
RECEIVER_SCENARIOS: tuple[Scenario, ...] = tuple(one for file in _FILES for one in file.scenarios)
FIRST = RECEIVER_SCENARIOS[0]  # without it nothing else can be said
