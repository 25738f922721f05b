"""Tests of worlds that are built from services of the Schema-Guided Dialogue dataset."""
