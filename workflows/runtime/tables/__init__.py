"""The five Django applications that hold the tables of the processes: models and migrations only."""
