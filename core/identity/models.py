"""Tables of tenants, people, departments and teams, and of what signing in leaves behind."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from core.kernel import clock
from core.kernel.models import KeptModel, SharedModel, TenantModel
from core.kernel.texts import choose, label


class Tenant(SharedModel):
    """A company that uses the console; 000000 is the platform itself."""

    shared_because = "it is read to find out which tenant to enter"

    tenant_id = models.CharField(label("租户编号", "Tenant id"), max_length=12, unique=True)
    tenant_name = models.CharField(label("租户名称", "Tenant name"), max_length=60)
    tenant_name_en = models.CharField(max_length=120, blank=True, default="")
    tenant_code = models.CharField(label("企业代码", "Company code"), max_length=20, unique=True)
    is_listed = models.BooleanField(default=False)
    """Whether the sign-in page names it."""
    is_enabled = models.BooleanField(default=True)
    rights_version = models.IntegerField(default=0)
    """Grows with each change of roles and grants, so that every process drops its snapshots."""
    create_time = models.DateTimeField(default=clock.now, editable=False)

    def __str__(self) -> str:
        return choose(self.tenant_name, self.tenant_name_en)


class Department(KeptModel):
    """A department; `path` is the ids from the root to itself, so that a subtree is one prefix search."""

    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="children")
    path = models.CharField(max_length=400, editable=False, default="")
    dept_name = models.CharField(label("部门名称", "Department"), max_length=60)
    dept_name_en = models.CharField(max_length=120, blank=True, default="")
    leader = models.ForeignKey("User", models.SET_NULL, null=True, related_name="+")
    sort = models.IntegerField(default=0)

    class Meta(KeptModel.Meta):
        indexes = [models.Index(fields=["tenant_id", "path"])]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the path with the parent."""
        self.path = f"{self.parent.path if self.parent else '/'}{self.pk}/"
        super().save(*args, **kwargs)

    def __str__(self) -> str:
        return choose(self.dept_name, self.dept_name_en)


class User(KeptModel):
    """A person's account in one tenant."""

    USERNAME_FIELD = "account"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    is_anonymous = False
    is_authenticated = True

    account = models.CharField(label("账号", "Account"), max_length=40)
    password = models.CharField(max_length=200, editable=False)
    real_name = models.CharField(label("姓名", "Name"), max_length=40)
    phone = models.CharField(label("手机", "Phone"), max_length=20, blank=True, default="")
    avatar = models.CharField(max_length=200, blank=True, default="")
    dept = models.ForeignKey(Department, models.PROTECT, null=True, related_name="users")
    hour_rate = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    """元/小时, of the person's post; null takes the parameter labour.rate.default."""
    is_enabled = models.BooleanField(default=True)
    lang = models.CharField(max_length=10, default="zh-hans")

    class Meta(KeptModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "account"], condition=models.Q(is_deleted=False), name="user_account_once"
            )
        ]

    def __str__(self) -> str:
        return self.real_name


class Team(KeptModel):
    """A plain group of people, such as a repair team."""

    team_name = models.CharField(label("班组名称", "Team"), max_length=60)
    team_name_en = models.CharField(max_length=120, blank=True, default="")
    leader = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    sort = models.IntegerField(default=0)

    def __str__(self) -> str:
        return choose(self.team_name, self.team_name_en)


class TeamMember(TenantModel):
    """A person's place in a team."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, models.CASCADE, related_name="teams")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "team", "user"], name="team_member_once")]


class Session(SharedModel):
    """A sign-in: the family of refresh tokens that follow one another."""

    shared_because = "a token is checked against it before its tenant is entered"

    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+")
    user_id = models.BigIntegerField()
    generation = models.IntegerField(default=0)
    """Number of the refresh token that counts; see tokens.py."""
    rotated_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    rights_version = models.IntegerField(default=0)
    create_time = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["tenant", "user_id"]), models.Index(fields=["expires_at"])]


class Captcha(SharedModel):
    """A picture that was handed out and not yet answered."""

    shared_because = "it is asked for before sign-in"

    key = models.CharField(max_length=64, unique=True)
    answer = models.CharField(max_length=10)
    expires_at = models.DateTimeField(db_index=True)
