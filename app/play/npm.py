"""Files of npm packages, fetched once into the cache and checked against their digest."""

from __future__ import annotations

import base64
import os
import tarfile
from dataclasses import dataclass
from pathlib import Path

from gpucore.errors import MissingDependency
from gpucore.installing import install_hint
from gpucore.saving import cache_folder

#: The registry, and npm's own variable that names a mirror.
REGISTRY, REGISTRY_VARIABLE = "https://registry.npmjs.org", "NPM_CONFIG_REGISTRY"
#: Seconds that a server may be silent.
_TIMEOUT = 30


@dataclass(frozen=True)
class Package:
    """A version of a package.

    Attributes
    ----------
    name, version : str
    integrity : str
        The SHA-512 of its archive in base 64, as in a lock file of npm.
    """

    name: str
    version: str
    integrity: str

    @property
    def file(self) -> str:
        """Name of its archive."""
        return f"{self.name.rpartition('/')[2]}-{self.version}.tgz"

    def fetch(self) -> Path:
        """Return its archive in the cache, fetched if it is not there.

        Raises
        ------
        MissingDependency
            It cannot be fetched, or is not the one that is meant.
        """
        try:
            import pooch
        except ImportError:
            hint = install_hint("fetch")
            raise MissingDependency(f"fetching needs pooch; get it with: {hint}") from None
        pooch.get_logger().setLevel("WARNING")
        registry = os.environ.get(REGISTRY_VARIABLE, REGISTRY).rstrip("/")
        url = f"{registry}/{self.name}/-/{self.file}"
        digest = base64.b64decode(self.integrity).hex()
        name = f"{self.name.replace('/', '+')}-{self.version}.tgz"
        downloader = pooch.HTTPDownloader(timeout=_TIMEOUT)
        folder = cache_folder() / "npm"
        try:
            got = pooch.retrieve(url, f"sha512:{digest}", name, folder, downloader=downloader)
        except (OSError, ValueError) as error:  # errors of requests are OSErrors
            raise MissingDependency(
                f"{url} cannot be fetched ({error}); with a network it is fetched once, and the "
                f"file from elsewhere can be kept as {folder / name}"
            ) from None
        return Path(got)

    def read(self, member: str) -> str:
        """Return the text of one of its files."""
        with tarfile.open(self.fetch()) as archive:
            file = archive.extractfile(f"package/{member}")
            assert file is not None, f"{self.name} has no {member}"
            return file.read().decode()
