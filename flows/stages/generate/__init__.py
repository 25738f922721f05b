"""Stages that generate and judge texts."""
