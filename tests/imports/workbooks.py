"""Excel workbooks as other programs write them: a zip archive of XML files."""

import io
import zipfile

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(sheet: str, texts: str, *, date_format: str = "General", prologue: str = "", more: str = "") -> bytes:
    """`sheet` has the rows, `texts` the shared texts; the cell format 1 is `date_format`. The first sheet is hidden.

    `more` follows the list of the sheets.
    """
    files = {
        "_rels/.rels": f"""<Relationships>
            <Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>""",
        "xl/workbook.xml": f"""<workbook {_MAIN} xmlns:r="{_RELATIONS}"><sheets>
            <sheet name="Notes" sheetId="1" state="hidden" r:id="rId1"/>
            <sheet name="People" sheetId="2" r:id="rId2"/></sheets>{more}</workbook>""",
        "xl/_rels/workbook.xml.rels": f"""<Relationships>
            <Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>
            <Relationship Id="rId2" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>""",
        "xl/styles.xml": f"""<styleSheet {_MAIN}><numFmts><numFmt numFmtId="164" formatCode="{date_format}"/></numFmts>
            <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>""",
        "xl/sharedStrings.xml": f"<sst {_MAIN}>{texts}</sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet {_MAIN}><sheetData/></worksheet>",
        "xl/worksheets/sheet2.xml": f"{prologue}<worksheet {_MAIN}><sheetData>{sheet}</sheetData></worksheet>",
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()
