"""Tables of work items, of who gets them, covers and copies, of candidate groups, and of the items in each queue."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.models import AuditedModel, TenantModel
from core.kernel.texts import choose, label
from core.statements.lazy import LazyRow

NO_PRIORITY = 9
"""Sorts behind every priority."""


class ItemState(models.IntegerChoices):
    """The state of a work item."""

    OPEN = 1, "open"
    DONE = 2, "done"
    DROPPED = 3, "dropped"
    """The process went on without it: a timer, a message, a cancelled order."""
    WAITING = 4, "waiting"
    """Others sign first; it stands in no list until then."""


NOT_OVER = (ItemState.OPEN, ItemState.WAITING)


class Signs(models.TextChoices):
    """When a signer signs who was added to an item."""

    BEFORE = "before", "before"
    BESIDE = "beside", "beside"
    AFTER = "after", "after"


class Reason(models.TextChoices):
    """Why a work item went to somebody whom its rules do not name, or was decided without asking anybody."""

    NOBODY_HEAD = (
        "nobodyHead",
        label(
            "没有找到办理人，由发起人的部门负责人办理",
            "Nobody was found: it went to the head of the starter’s department",
        ),
    )
    NOBODY_ADMINISTRATORS = (
        "nobodyAdministrators",
        label("没有找到办理人，由租户管理员办理", "Nobody was found: it went to the administrators"),
    )
    NOBODY_PERSON = (
        "nobodyPerson",
        label("没有找到办理人，由模型指定的人员办理", "Nobody was found: it went to the person whom the model names"),
    )
    STARTER_HEAD = (
        "starterHead",
        label(
            "办理人即发起人，由其部门负责人办理", "The assignee is the starter: it went to the head of the department"
        ),
    )
    AGREED_NOBODY = "agreedNobody", label("自动同意：没有找到办理人", "Approved automatically: nobody was found")
    AGREED_STARTER = (
        "agreedStarter",
        label("自动同意：办理人即发起人", "Approved automatically: the assignee is the starter"),
    )
    AGREED_PREVIOUS = (
        "agreedPrevious",
        label("自动同意：与上一步办理人相同", "Approved automatically: same assignee as in the previous step"),
    )
    AGREED_BEFORE = (
        "agreedBefore",
        label("自动同意：该办理人此前已同意", "Approved automatically: the assignee has approved before"),
    )


_INSTEAD = frozenset({Reason.NOBODY_HEAD, Reason.NOBODY_ADMINISTRATORS, Reason.NOBODY_PERSON})

_DECIDED = frozenset({Reason.AGREED_NOBODY, Reason.AGREED_STARTER, Reason.AGREED_PREVIOUS, Reason.AGREED_BEFORE})


class WorkItem(LazyRow, TenantModel):
    """A user task of an instance, open or closed. It repeats the columns of lists, so that lists need no join."""

    instance = models.ForeignKey("instances.ProcessInstance", models.CASCADE, related_name="items")
    # Its index is `work_item_times`.
    definition = models.ForeignKey("deployments.Definition", models.PROTECT, related_name="+", db_index=False)
    category = models.CharField(max_length=20)
    business_type = models.CharField(max_length=40)
    business_id = models.BigIntegerField()
    business_no = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    title_en = models.CharField(max_length=200, blank=True, default="")
    """Empty where it reads the same in English."""
    priority = models.SmallIntegerField(default=NO_PRIORITY)
    """1 is the most urgent; NO_PRIORITY where the record has none."""
    subject = models.CharField(max_length=160, blank=True, default="")
    """What the record is about, such as its machine."""
    subject_en = models.CharField(max_length=160, blank=True, default="")
    starter_id = models.BigIntegerField()
    starter_name = models.CharField(max_length=40)
    engine_task = models.CharField(max_length=40)
    """The engine's id of the task; never leaves the server."""
    node = models.CharField(max_length=80)
    node_name = models.CharField(max_length=80)
    node_name_en = models.CharField(max_length=120, blank=True, default="")
    form_key = models.CharField(max_length=60, blank=True, default="")
    round = models.IntegerField()
    """How often the process has come to this node, this time included."""
    seat = models.CharField(max_length=40, blank=True, default="")
    """Of a step that is done several times, which of them this is: '.2', in a loop inside another '.0.1'."""
    activity = models.CharField(max_length=40, blank=True, default="")
    """The engine's id of the multi-instance activity that it belongs to, '' outside of one; never leaves the server."""
    added_to = models.BigIntegerField(null=True)
    """The item whose holder added this one, and in `added_by` that person; null for what the process made."""
    added_by = models.BigIntegerField(null=True)
    signs = models.CharField(max_length=10, choices=Signs.choices, blank=True, default="")
    """When a signer signs, who was added to a step and shares its engine task; empty for the steps of the process."""
    signers = models.SmallIntegerField(default=0)
    """How many signers were added to the step."""
    state = models.SmallIntegerField(choices=ItemState.choices, default=ItemState.OPEN)
    assignee_id = models.BigIntegerField(null=True)
    candidate_keys = models.JSONField(default=list)
    """Keys such as `role:2` under which it is, or was, offered; none where the process named the person."""
    pool = models.BigIntegerField(null=True)
    """Where it waits to be taken; empty once somebody holds it, or it is over."""
    delegators = models.JSONField(default=list)
    """Who asked the holder to look at it, and gets it back: user ids, the last one first to get it."""
    in_place_of = models.BigIntegerField(null=True)
    """For whom the holder acts: somebody who is absent, or who has left."""
    reason = models.CharField(max_length=24, choices=Reason.choices, blank=True, default="")
    urge_time = models.DateTimeField(null=True)
    create_time = models.DateTimeField(default=clock.now)
    due_time = models.DateTimeField(null=True)
    """When the first deadline drawn round the step passes, see deadlines.py; empty where none is drawn."""
    late_time = models.DateTimeField(null=True)
    """Since when a deadline drawn round the step has passed, see deadlines.py; empty while none has."""
    claim_time = models.DateTimeField(null=True)
    read_time = models.DateTimeField(null=True)
    """When its assignee opened it first; empty again once somebody else holds it."""
    end_time = models.DateTimeField(null=True)
    completed_by = models.BigIntegerField(null=True)
    completed_by_name = models.CharField(max_length=40, blank=True, default="")
    outcome = models.CharField(max_length=40, blank=True, default="")
    comment = models.CharField(max_length=500, blank=True, default="")
    record_version = models.IntegerField(null=True)
    """Version of the business record that the completion was made on."""
    digest = models.CharField(max_length=64, blank=True, default="")
    """Digest of the completing request: the same one again is answered with `answer`."""
    answer = models.JSONField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "instance", "node", "round", "seat"], name="work_item_round_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(state=ItemState.DONE) | models.Q(end_time__isnull=False),
                name="work_item_done_has_end",
            ),
        ]
        indexes = [
            # By time, though ids are in order of time too: asked for the newest ids, PostgreSQL would walk down the
            # primary key through everybody's items.
            models.Index(fields=["tenant_id", "assignee_id", "state", "-create_time", "-id"], name="work_item_of"),
            models.Index(fields=["tenant_id", "pool", "-create_time", "-id"], name="work_item_in_pool"),
            # The inbox: what runs out first stands first.
            models.Index(
                fields=["tenant_id", "assignee_id", "state", "due_time", "priority", "id"], name="work_item_due"
            ),
            models.Index(fields=["tenant_id", "pool", "due_time", "priority", "id"], name="work_item_pool_due"),
            models.Index(fields=["tenant_id", "completed_by", "-end_time", "-id"]),
            models.Index(fields=["tenant_id", "business_type", "business_id", "state"]),
            models.Index(fields=["tenant_id", "instance", "id"]),
            models.Index(fields=["tenant_id", "definition", "state", "end_time"], name="work_item_times"),
            # Of what runs, that which waits at one element.
            models.Index(
                fields=["tenant_id", "node", "instance"],
                name="work_item_at",
                condition=models.Q(state=ItemState.OPEN),
            ),
            models.Index(
                fields=["tenant_id", "instance"],
                name="work_item_late",
                condition=models.Q(late_time__isnull=False, state=ItemState.OPEN),
            ),
            models.Index(
                fields=["tenant_id", "in_place_of"],
                name="work_item_in_place_of",
                condition=models.Q(in_place_of__isnull=False, state=ItemState.OPEN),
            ),
        ]

    @property
    def name(self) -> str:
        """Return the step's name in the caller's language."""
        return choose(self.node_name, self.node_name_en)

    @property
    def step(self) -> str:
        """Return the same, with a word where somebody was added to sign it."""
        return _("{step}（加签）").format(step=self.name) if self.signs else self.name

    @property
    def called(self) -> str:
        """Return the title in the caller's language."""
        return choose(self.title, self.title_en)

    @property
    def is_decided(self) -> bool:
        """Return whether the system completed it because of a policy."""
        return self.reason in _DECIDED

    @property
    def is_instead(self) -> bool:
        """Return whether its rules found nobody, so that others are asked."""
        return self.reason in _INSTEAD


class HandedOn(TenantModel):
    """A person delegated or transferred a work item: the person finds it for as long as it is open.

    Where a command of the record transfers the work, that is the step which the process then comes to.
    """

    item = models.ForeignKey(WorkItem, models.CASCADE, related_name="+")
    user_id = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user_id", "item"], name="handed_on_once")]


class Copy(TenantModel):
    """A person got a process for information: it asks for nothing, and its receiver may read the process."""

    instance = models.ForeignKey("instances.ProcessInstance", models.CASCADE, related_name="copies")
    user_id = models.BigIntegerField()
    node = models.CharField(max_length=80, blank=True, default="")
    """The step after which it was sent; empty for one that the end of the process sent, or a person by hand."""
    sender_id = models.BigIntegerField(null=True)
    """Empty where the model sent it."""
    sender_name = models.CharField(max_length=40, blank=True, default="")
    note = models.CharField(max_length=500, blank=True, default="")
    create_time = models.DateTimeField(default=clock.now)
    read_time = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "instance", "user_id"], name="copy_once")]
        indexes = [
            models.Index(fields=["tenant_id", "user_id", "-create_time", "-id"], name="copy_of"),
            models.Index(fields=["tenant_id", "user_id"], name="copy_unread", condition=models.Q(read_time=None)),
        ]


class PoolKey(TenantModel):
    """One key of a candidate group: people with this key may claim the items of the group.

    The number of a group follows from its keys, see queues.py. Groups are few, however many items wait, and stay.
    """

    pool = models.BigIntegerField()
    key = models.CharField(max_length=60)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "key", "pool"], name="pool_key_once")]


class Tally(TenantModel):
    """A change of the number of open items in a queue; the sum of a queue's rows is its number of items.

    A queue is a candidate group or an assignee. Commands only add rows, so that none waits for another; a job replaces
    many rows by one.
    """

    queue = models.BigIntegerField()
    delta = models.IntegerField()

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant_id", "queue", "delta"], name="tally_of_queue")]


class Absence(AuditedModel):
    """A period in which a person is away and another person gets the tasks that name the first one."""

    user = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", editable=False, verbose_name=label("请假人", "Absent person")
    )
    """Whoever makes the row, where nobody is named."""
    cover = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", verbose_name=label("代办人", "Covered by")
    )
    start_time = models.DateTimeField(label("开始时间", "Start"))
    end_time = models.DateTimeField(label("结束时间", "End"))
    processes = models.JSONField(label("流程", "Processes"), default=list, blank=True)
    """Keys of the processes that it is about; empty for all."""
    hands_over = models.BooleanField(label("同时移交已有任务", "Hand over open tasks too"), default=False)
    reason = models.CharField(label("说明", "Note"), max_length=200, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("请假代办", "Absence cover")
        indexes = [
            models.Index(fields=["tenant_id", "end_time"], name="absence_until"),
            models.Index(fields=["tenant_id", "user", "start_time"], name="absence_of"),
        ]

    def __str__(self) -> str:
        return f"{self.user} → {self.cover}"


class HandOver(TenantModel):
    """Everything that waits for a person is given to another one, item by item, in batches of the outbox."""

    user = models.ForeignKey("identity.User", models.PROTECT, related_name="+")
    receiver = models.ForeignKey("identity.User", models.PROTECT, related_name="+")
    asked_by = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    total = models.IntegerField(default=0)
    moved = models.IntegerField(default=0)
    refused = models.JSONField(default=list)
    """Of each item that stayed: its id, title and the sentence why."""
    named = models.JSONField(default=list)
    """Steps of models that name the person: process and step, in both languages."""
    create_time = models.DateTimeField(default=clock.now)
    end_time = models.DateTimeField(null=True)
    """When it was done; empty while it runs."""

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant_id", "-id"], name="hand_over_newest")]
