"""The back half of 巡维: people, rights, plant and everything that is not a process."""
