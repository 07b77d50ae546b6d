"""`python -m adjudicator` is the command `judge`."""

from .cli import main

main()
