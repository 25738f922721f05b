"""This module lists the kinds of members (see `benchloom.core.kinds`) for the reference pages."""

from importlib import import_module
from typing import Any

import msgspec

from benchloom.core.kinds import Kind


class KindPage(msgspec.Struct, frozen=True):
    """A kind of members in the reference.

    `module` and `name` are the import path of the `Kind`. `offers` are the import paths of types
    that describe a member.
    """

    module: str
    name: str
    offers: tuple[str, ...]

    def kind(self) -> Kind[Any]:
        """Import the module and return the `Kind`."""
        member_kind = getattr(import_module(self.module), self.name)
        assert isinstance(member_kind, Kind)  # noqa: S101  the list below contains only kinds
        return member_kind


KINDS = (
    KindPage("scrapers.sites", "SITES", ("scrapers.pages.site.Site",)),
    KindPage("demo.replica.pages", "RESPONDERS", ("demo.replica.pages.Responder",)),
    KindPage(
        "parsers.definitions",
        "DEFINITION_FORMATS",
        ("parsers.definitions.DefinitionFormat",),
    ),
    KindPage(
        "parsers.dialogues.sources",
        "DIALOGUE_SOURCES",
        ("parsers.dialogues.sources.DialogueSource",),
    ),
    KindPage(
        "benchloom.exchange.formats",
        "FORMATS",
        (
            "benchloom.exchange.formats.Format",
            "benchloom.exchange.formats.Reading",
            "benchloom.exchange.formats.Writing",
        ),
    ),
    KindPage("prompts.steps", "STEPS", ("prompts.steps.Step",)),
    KindPage("prompts.checks", "CHECKS", ("prompts.checks.Check",)),
    KindPage(
        "benchloom.normalise.redaction.finders",
        "FINDERS",
        (
            "benchloom.normalise.redaction.finders.TextFinder",
            "benchloom.normalise.redaction.finders.FieldFinder",
            "benchloom.normalise.redaction.finders.FlowFinder",
        ),
    ),
    KindPage("benchloom.release.gates", "GATES", ("benchloom.release.gates.Gate",)),
    KindPage("benchloom.release.documents", "DOCUMENTS", ("benchloom.release.documents.Document",)),
    KindPage(
        "benchloom.release.sections", "SECTIONS", ("benchloom.release.sections.SectionMember",)
    ),
    KindPage(
        "benchloom.release.publication.target",
        "TARGETS",
        (
            "benchloom.release.publication.target.TargetKind",
            "benchloom.release.publication.target.Target",
        ),
    ),
    KindPage(
        "benchloom.evaluate.benchmarks",
        "BENCHMARKS",
        ("benchloom.evaluate.Benchmark", "benchloom.evaluate.Metric"),
    ),
    KindPage(
        "benchloom.evaluate.protocols",
        "PROTOCOLS",
        ("benchloom.evaluate.protocol.Protocol",),
    ),
    KindPage(
        "benchloom.worlds.task_formats",
        "TASK_FORMATS",
        (
            "benchloom.worlds.task_formats.base.RowFormat",
            "benchloom.worlds.task_formats.base.FolderFormat",
        ),
    ),
    KindPage(
        "benchloom.worlds.servers.protocols",
        "TASK_PROTOCOLS",
        (
            "benchloom.worlds.servers.protocols.base.TaskProtocol",
            "benchloom.worlds.servers.attempts.Attempts",
        ),
    ),
    KindPage(
        "benchloom.worlds.task_kinds",
        "TASK_KINDS",
        ("benchloom.worlds.task_kinds.base.TaskKind", "benchloom.worlds.task.Candidate"),
    ),
    KindPage("benchloom.worlds.suites", "SUITES", ("benchloom.worlds.suite.Suite",)),
    KindPage(
        "benchloom.worlds.suites.api_bank.tools",
        "PARTS",
        ("benchloom.worlds.suites.api_bank.part.Part",),
    ),
    KindPage(
        "benchloom.device.actions",
        "FAMILIES",
        ("benchloom.device.call.Call", "benchloom.device.call.action"),
    ),
    KindPage("benchloom.worlds.everyday.apps", "APPS", ("benchloom.worlds.tool.App",)),
    KindPage(
        "benchloom.worlds.suites.everyday.requests",
        "REQUESTS",
        ("benchloom.worlds.requests.wants.Requests",),
    ),
    KindPage(
        "flows.run.engines",
        "ENGINES",
        ("flows.run.engines.Engine", "flows.run.engines.StartedEngine"),
    ),
    KindPage(
        "flows.configuration.checks", "TABLE_CHECKS", ("flows.configuration.checks.TableCheck",)
    ),
    KindPage("flows.doctor", "LOOKS", ("flows.doctor.base.Look", "flows.doctor.base.Finding")),
    KindPage("flows.engine.single", "FLOWS", ()),
    KindPage("flows.commands", "COMMANDS", ("flows.commands._help.Commands",)),
    KindPage("benchmarks", "BENCHMARKS", ("benchmarks.Benchmark",)),
    KindPage("tests.fuzz.target", "TARGETS", ("tests.fuzz.target.Target",)),
    KindPage("docs.generated", "PARTS", ("docs.generated.Part",)),
)
