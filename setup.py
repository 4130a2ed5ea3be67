"""The compiled modules. `pyproject.toml` contains everything else about the build."""

from setuptools import setup
from tools.build_backend import extensions

setup(ext_modules=extensions())
