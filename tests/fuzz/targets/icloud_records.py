"""Fuzz responses of iCloud's records API, scrubbed and read under every status."""

from scrapers.icloud import asset_address, asset_problem, read_record, scrub
from tests.fuzz import Target

_WORDS = (
    b"null", b"-1", b"1e999", b"99999999999999999999", b"[[[[", b'"downloadURL":', b"${f}", b"//[",
    b'"error":true', b'"serverErrorCode":', b"\\ud800", b'"deleted":true', b'"timestamp":',
)  # fmt: skip
_ID = "ab" * 16


def seeds() -> list[bytes]:
    """Return a record with files, a deleted record, and an error."""
    asset = (
        b'{"value":{"downloadURL":"https://cvws.icloud-content.com/B/x/${f}?o=1","size":99,'
        b'"fileChecksum":"QUJD"},"type":"ASSETID"}'
    )
    return [
        b'{"recordName":"AB","recordChangeTag":"1a","created":{"timestamp":1600000000000,'
        b'"userRecordName":"_u","deviceID":"D"},"modified":{"timestamp":1600000000001},'
        b'"deleted":false,"fields":{"name":{"value":"Tea"},"icon_color":{"value":4282601983},'
        b'"icon_glyph":{"value":59511},"signingStatus":{"value":"APPROVED"},'
        b'"signingCertificateExpirationDate":{"value":1900000000000},"shortcut":' + asset
        + b',"signedShortcut":' + asset + b"}}",
        b'{"recordName":"AB","deleted":true,"fields":{}}',
        b'{"error":true,"reason":"private record","serverErrorCode":"ACCESS_DENIED"}',
    ]  # fmt: skip


def read(data: bytes) -> int:
    """Return how many files of the record have an address that may be requested."""
    body = scrub(data)
    address_count = 0
    for status in (200, 404, 403, 500):
        answer = read_record(status, body)
        for asset in answer.assets:
            address_count += asset_address(asset, _ID) is not None
            asset_problem(data, asset.size)
    return address_count


TARGET = Target("icloud-records", seeds, read, words=_WORDS)
