"""The scenarios of the calls of an application, in the order in which they run."""

from frontdesk.developer_tools.conformance.flow import failures, quiet_days, records, refusals, tokens
from frontdesk.developer_tools.conformance.scenarios import Scenario

_FILES = (quiet_days, failures, tokens, refusals, records)
FLOW_SCENARIOS: tuple[Scenario, ...] = tuple(one for file in _FILES for one in file.scenarios)
FIRST = FLOW_SCENARIOS[0]  # without it nothing else can be said
