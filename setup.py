"""Maps the top folders, whatever is in them, to outbreak_rl.<folder>; the rest is in pyproject.toml.

The games behind the README's tables (baselines/results) are part of the checkout, not of the package.
"""

from setuptools import find_namespace_packages, setup

TOP = ["envs", "wrappers", "baselines", "configs"]
FOUND = find_namespace_packages(
    include=[*TOP, *(f"{top}.*" for top in TOP)], exclude=["*__pycache__*", "baselines.results*"]
)
setup(
    packages=[f"outbreak_rl.{folder}" for folder in FOUND],
    package_dir={f"outbreak_rl.{top}": top for top in TOP},
    package_data={"": ["*.toml", "*.json", "py.typed", "*.pt", "*.safetensors", "*.svg"]},
    exclude_package_data={"outbreak_rl.baselines": ["results/*", "results/*/*", "results/*/*/*"]},
)
