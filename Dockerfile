# The demo and scheduled rebuilds without a Python of your own; docs/pages/operating.md has the commands.
FROM python:3.13-slim

WORKDIR /app
COPY requirements.lock pyproject.toml setup.py README.md LICENSE ./
COPY scripts/make-venv scripts/
COPY benchloom benchloom/
COPY datasets datasets/
COPY demo demo/
COPY flows flows/
COPY parsers parsers/
COPY prompts prompts/
COPY scrapers scrapers/
RUN ./scripts/make-venv python3 .venv
RUN useradd --create-home --uid 1000 benchloom && mkdir /data && chown benchloom /data

# Configuration, inputs and workspaces; the program itself cannot be changed by the user that runs it.
USER benchloom
WORKDIR /data
VOLUME /data
ENTRYPOINT ["/app/.venv/bin/benchloom"]
CMD ["demo"]
