"""The fuzz targets, one module for each input kind; `tests.fuzz` explains how to add one."""
