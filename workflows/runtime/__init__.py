"""The runtime of processes: tables, definitions, rows kept beside the engine, execution, commands and calls."""
