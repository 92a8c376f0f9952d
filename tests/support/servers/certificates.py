"""Certificates of a test's own authority, made anew for every run."""

import datetime
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class Authority:
    def __init__(self, folder: Path, name: str = "Test authority") -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = _signed(self._name, self._name, self._key.public_key(), self._key, authority=True)
        self._path = folder / f"{name.replace(' ', '-')}.pem"
        self._path.write_bytes(certificate.public_bytes(Encoding.PEM))

    def trusting(self) -> ssl.SSLContext:
        """What a client uses that trusts this authority and no other."""
        return ssl.create_default_context(cafile=str(self._path))

    def serving(self, host: str, *, days: int = 2) -> ssl.SSLContext:
        """What a server uses that is `host`."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        certificate = _signed(subject, self._name, key.public_key(), self._key, host=host, days=days)
        path = self._folder / f"{host}-{days}.pem"
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _signed(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    signer: ec.EllipticCurvePrivateKey,
    *,
    host: str | None = None,
    days: int = 2,
    authority: bool = False,
) -> x509.Certificate:
    end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(end - datetime.timedelta(days=5))
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if host:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    return builder.sign(signer, SHA256())
