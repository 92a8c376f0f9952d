"""The measurement itself runs; what it finds is for `make bench` on a quiet machine to judge."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

# What is found does not matter here, so a third of the quick form's time at each endpoint will do.
SHORT = """
from bench import __main__ as bench
bench._QUICK = bench._QUICK._replace(seconds=0.13)
bench.main()
"""
ENDPOINTS = ("POST /orders", "GET /orders", "GET /orders/{uuid}", "POST /availability")


@pytest.mark.timeout(300)
def test_the_quick_form_measures_every_endpoint_and_judges_every_bound() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SHORT, "--quick"],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    for endpoint in ENDPOINTS:
        for callers in (1, 8):
            rows = re.findall(
                rf"^{re.escape(endpoint)} +{callers} +(service|limit) +(\d+) .* ([\d.]+)$", ran.stdout, re.M
            )
            assert [name for name, _, _ in rows] == ["service", "limit"], ran.stdout + ran.stderr
            assert all(int(rate) > 0 for _, rate, _ in rows)
            assert float(rows[0][2]) > 0.02
    verdicts = re.findall(r"^(PASS|FAIL)  ", ran.stdout, re.M)
    assert len(verdicts) == 2 * len(ENDPOINTS) + 3 + 2, ran.stdout
