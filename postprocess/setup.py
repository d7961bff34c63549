"""The Python module percuss: results of runs as numpy arrays, and runs in process (percuss.Run), which need libpercuss."""
from setuptools import setup

setup(
    name="percuss",
    version="0.1.0",
    description="Dynamics of elastic and rigid bodies with contact, friction and impact",
    license="GPL-3.0-or-later",
    python_requires=">=3.9",
    install_requires=["numpy"],
    py_modules=["percuss", "percuss_simulation", "percuss_vtk", "percuss_units", "percuss_fields"],
)
