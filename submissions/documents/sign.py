"""The seal on a rendered document: PAdES B-LTA, appended to bytes that stay as they are.

Everything a later verification needs is embedded: certificates, revocation lists, a timestamp over the
signature and one over the whole. Signed once, in the job that holds the lease; never again.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from pyhanko.pdf_utils.font.opentype import GlyphAccumulatorFactory
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.layout import AxisAlignment, Margins, SimpleBoxLayoutRule
from pyhanko.pdf_utils.text import TextBoxStyle
from pyhanko.sign.fields import SigSeedSubFilter
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner
from pyhanko.sign.signers.pdf_signer import DSSContentSettings, TimestampDSSContentSettings
from pyhanko.stamp import TextStampStyle

from submissions.documents.apart import apart
from submissions.documents.field import FIELD
from submissions.documents.keys import Seal
from submissions.documents.printing import static_file

# So that the timestamp over the document covers every byte of the file but its own container.
ALL_BEFORE_THE_LAST_TIMESTAMP = DSSContentSettings(
    include_vri=False, next_ts_settings=TimestampDSSContentSettings(include_vri=False, update_before_ts=True)
)
# Source Sans has 1,000 units to the em: pyHanko spaces the letters of a font with another number too widely.
FONT = "uswds/fonts/source-sans-pro/sourcesanspro-regular-webfont.ttf"


def sign(unsigned: bytes, what: str, approved: Mapping[str, str], seal: Seal) -> bytes:
    """The document with its seal: it starts with exactly the bytes given.

    `what` it is, "Rules Submission RS-2026-00001-R1"; `approved`: by whom, {name, role}.
    """
    metadata = PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        reason=f"{what} approved by {approved['name']}, {approved['role']}",
        subfilter=SigSeedSubFilter.PADES,
        use_pades_lta=True,
        embed_validation_info=True,
        validation_context=seal.context(),
        dss_settings=ALL_BEFORE_THE_LAST_TIMESTAMP,
    )
    signer = PdfSigner(metadata, seal.signer, timestamper=seal.timestamper, stamp_style=_appearance(approved, seal))
    written = BytesIO()
    apart(signer.async_sign_pdf(IncrementalPdfFileWriter(BytesIO(unsigned)), output=written))
    return written.getvalue()


def _appearance(approved: Mapping[str, str], seal: Seal) -> TextStampStyle:
    """What stands in the field: words only; the QR code is on the first page."""
    lines = [
        f"Sealed electronically by {seal.name}",
        f"upon approval by {approved['name']}, {approved['role']}",
        "%(ts)s",
    ]
    flush_left = SimpleBoxLayoutRule(AxisAlignment.ALIGN_MIN, AxisAlignment.ALIGN_MID, Margins(12, 12, 4, 4))
    return TextStampStyle(
        stamp_text="\n".join(line if line == "%(ts)s" else line.replace("%", "%%") for line in lines),
        text_box_style=TextBoxStyle(
            font=GlyphAccumulatorFactory(str(static_file(FONT)), font_size=10, create_objstream_if_needed=False),
            font_size=10,
            leading=14,
        ),
        inner_content_layout=flush_left,
        border_width=0,
        background_opacity=0,
        timestamp_format="%Y-%m-%d %H:%M:%S %Z",
    )
