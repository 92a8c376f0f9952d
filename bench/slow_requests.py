"""Requests that cost a business much: files to read, archives, reports and PDFs."""

import io
import zipfile
from datetime import timedelta

from bench import requests
from bench.tenants import BookableTenant
from frontdesk.ui.shell.csrf import CSRF_FIELD, csrf_token

_SHEET = "xl/worksheets/sheet1.xml"
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def _cookie(tenant: BookableTenant) -> str:
    return f"frontdesk_session={tenant.access.session}"


def workbooks(tenant: BookableTenant) -> list[bytes]:
    """A small file that takes a second and 350 MB to read, because the library fills what is between its two cells, and
    then turns out to have no rows."""
    fields = {
        "kind": "customers",
        "country": "SA",
        "branch": str(tenant.branch_id),
        CSRF_FIELD: csrf_token(tenant.access.session, tenant.access.tenant_id),
    }
    return [requests.upload("/import", _cookie(tenant), fields, _workbook())]


def _workbook() -> bytes:
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rows = '<row r="1048576"><c r="J1048576" t="e"><v>#N/A</v></c></row>'
    name = '<row r="1"><c t="inlineStr"><is><t>Name</t></is></c></row>'
    files = {
        "_rels/.rels": f'<Relationships><Relationship Id="rId1" Type="{relation}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {_MAIN} xmlns:r="{relation}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships><Relationship Id="rId1" Type="{relation}/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        _SHEET: f"<worksheet {_MAIN}><sheetData>{name}{rows}</sheetData></worksheet>",
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return content.getvalue()


def unfinished_uploads(tenant: BookableTenant) -> list[bytes]:
    """All but the end, as a slow sender."""
    return [request[:-100] for request in workbooks(tenant)]


def archives(tenant: BookableTenant) -> list[bytes]:
    return [requests.page("/export/business.zip", _cookie(tenant))]


def reports(tenant: BookableTenant) -> list[bytes]:
    first, last = tenant.first_day - timedelta(days=360), tenant.first_day
    return [
        requests.page(f"/reports{name}?from={first}&to={last}", _cookie(tenant))
        for name in ("", "/occupancy", "/customers", "/items")
    ]


def new_invoices(tenant: BookableTenant) -> list[bytes]:
    return [requests.pos_post(tenant.access, f"/pos/orders/{id_}/invoice", None) for id_ in tenant.order_ids]


def pdfs(tenant: BookableTenant) -> list[bytes]:
    """More than the service keeps."""
    return [
        requests.pos_get(tenant.access, f"/pos/orders/{id_}/invoice?format=pdf&language={language}")
        for id_ in tenant.order_ids
        for language in ("ar", "en")
    ]
