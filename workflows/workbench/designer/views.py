"""The designer's questions, under /blade-flow/model beside the drafts. None of them changes anything."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.texts import moment
from core.rest.viewsets import BaseViewSet
from workflows.forms import schema
from workflows.workbench.designer import answers, catalogue, examined, preview, sample, times
from workflows.workbench.designer.dryrun import DryRun
from workflows.workbench.designer.serializers import (
    Candidates,
    CandidatesInput,
    Catalogue,
    DryRunAnswer,
    DryRunInput,
    DueAnswer,
    DueInput,
    EventTimes,
    FormChecked,
    FormInput,
    TimesInput,
)
from workflows.workbench.publishing.serializers import wire


class DesignViewSet(BaseViewSet):
    """What those who draw a process ask; whoever may see models may ask."""

    by_tenant = True
    codes = {
        "catalogue": "flow_model_view",
        "due_preview": "flow_model_view",
        "form_check": "flow_model_view",
        "candidates": "flow_model_view",
        "dry_run": "flow_model_view",
        "times": "flow_model_view",
    }

    @extend_schema(
        parameters=[OpenApiParameter("key", str, description="The process's key; empty for one that has none yet.")],
        responses=Catalogue,
    )
    @action(detail=False, methods=["get"])
    def catalogue(self, request: Request) -> Response:
        """Answer what a process with this key may name."""
        return Response(catalogue.of(request.query_params.get("key", "").strip()[:100]))

    @extend_schema(parameters=[DueInput], responses=DueAnswer)
    @action(detail=False, methods=["get"], url_path="due-preview")
    def due_preview(self, request: Request) -> Response:
        """Answer when a timer would fall due that began to wait now, by the tenant's working calendar."""
        asked = DueInput(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return Response({"dueTime": moment(preview.due(**asked.validated_data))})

    @extend_schema(request=FormInput, responses=FormChecked)
    @action(detail=False, methods=["post"], url_path="form-check")
    def form_check(self, request: Request) -> Response:
        """Answer what a deployment would say of a form."""
        asked = FormInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response({"problems": [wire(one) for one in schema.problems(asked.validated_data["schema"])]})

    @extend_schema(request=CandidatesInput, responses=Candidates)
    @action(detail=False, methods=["post"])
    def candidates(self, request: Request) -> Response:
        """Who would get a step of the model."""
        asked = CandidatesInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response(preview.candidates(self.actor, asked.validated_data))

    @extend_schema(request=DryRunInput, responses=DryRunAnswer)
    @action(detail=False, methods=["post"], url_path="dry-run")
    def dry_run(self, request: Request) -> Response:
        """Take the model through these acts without any effect."""
        asked = DryRunInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        verdict, model = examined.examined(given["xml"].encode())
        if model is None:
            return Response(answers.refused(verdict))
        starter = sample.person(self.actor, given.get("starterId"), "starterId")
        record = sample.record(model.bound, self.actor, starter, given.get("recordId"))
        run = DryRun(model, starter, sample.changed(model.bound, record, given.get("record", {})))
        run.replay(given.get("values", {}), given.get("acts", []), given.get("start", ""))
        return Response(answers.told(run))

    @extend_schema(request=TimesInput, responses=EventTimes)
    @action(detail=False, methods=["post"])
    def times(self, request: Request) -> Response:
        """Answer a time of an event in words, and when it comes next."""
        asked = TimesInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        return Response(times.told(given["timeKind"], given["text"], is_start=given["isStart"]))
