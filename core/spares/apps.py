"""Registers the form of requests, and the jobs that check the ledger and list what to reorder."""

from django.apps import AppConfig


class SparesConfig(AppConfig):
    """Spare parts, the ledger of their stock, and requests for them."""

    name = "core.spares"

    def ready(self) -> None:
        """Register what companies may ask for of a request, and the jobs."""
        from core.kernel.texts import label
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup
        from core.spares import inputs, watching

        inputs.register_scene()
        schedule.register(
            schedule.Job(
                "spare.selfcheck",
                label("备件账目自检", "Check the spare parts ledger"),
                label(
                    "核对每种备件的库存、预留与流水是否一致，不一致时通知库管。",
                    "Compares stock and reservations with the ledger, and tells the storekeepers what differs.",
                ),
                JobGroup.BUSINESS,
                "0 40 3 * * ?",
                lambda: schedule.Counts(handled=watching.self_check()),
            )
        )
        schedule.register(
            schedule.Job(
                "spare.low",
                label("每日补货清单", "Daily reorder list"),
                label(
                    "列出不高于最低库存的备件和建议采购量，通知库管。",
                    "Lists parts at or below their minimum with what to reorder, and tells the storekeepers.",
                ),
                JobGroup.BUSINESS,
                "0 0 8 * * ?",
                lambda: schedule.Counts(handled=watching.tell_low()),
            )
        )
