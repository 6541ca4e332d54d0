"""The engine of ``sevens``: the lowest total of six or seven dice."""
