"""The build starts from an empty folder: a pack is all files of its folder, so a stale copy of one that was renamed
would be loaded beside the new one. Everything else is in pyproject.toml."""

import shutil

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    def run(self) -> None:
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": FreshBuild})
