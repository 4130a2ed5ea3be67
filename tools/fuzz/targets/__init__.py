"""The fuzz targets, one per module."""
