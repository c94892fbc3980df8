"""Tables of tenants, people, departments and teams, and of what signing in leaves behind."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.models import (
    OWN_OR_PLATFORM,
    AuditedModel,
    DictionaryField,
    SharedModel,
    TenantModel,
    TreeModel,
    VersionedModel,
    unique_in_tenant,
)
from core.kernel.references import EVERYTHING
from core.kernel.stored_files import StoredFile
from core.kernel.tenancy import PLATFORM
from core.kernel.texts import choose, label


class StandingTenants(models.Manager["Tenant"]):
    """Tenants that have not been removed."""

    def get_queryset(self) -> models.QuerySet[Tenant]:
        """A removed tenant is not found by anybody; its rows stay."""
        return super().get_queryset().filter(is_deleted=False)


class Tenant(VersionedModel, SharedModel):
    """A company that uses the console; 000000 is the platform itself."""

    may_lose = (EVERYTHING,)  # closing a company ends its sessions and leaves all of its rows as they are

    shared_because = "it is read to find out which tenant to enter"
    own_rows = OWN_OR_PLATFORM

    tenant_id = models.CharField(label("租户编号", "Tenant id"), max_length=12, unique=True, editable=False)
    tenant_name = models.CharField(label("租户名称", "Tenant name"), max_length=60)
    tenant_name_en = models.CharField(label("英文名称", "English name"), max_length=120, blank=True, default="")
    tenant_code = models.CharField(label("企业代码", "Company code"), max_length=20)
    """What people name when they ask to join."""
    domain = models.CharField(label("域名地址", "Domain"), max_length=120, blank=True, default="")
    """Host, and port where it is not the usual one; the sign-in page asks by it."""
    linkman = models.CharField(label("联系人", "Contact"), max_length=40, blank=True, default="")
    contact_number = models.CharField(label("联系电话", "Contact number"), max_length=30, blank=True, default="")
    address = models.CharField(label("联系地址", "Address"), max_length=200, blank=True, default="")
    background_url = models.CharField(label("登录页背景", "Sign-in picture"), max_length=200, blank=True, default="")
    account_number = models.IntegerField(label("账号额度", "Account limit"), default=-1, editable=False)
    """How many people may be enabled at once; -1 for any number."""
    expire_time = models.DateTimeField(label("过期时间", "Expires"), null=True, blank=True, editable=False)
    is_listed = models.BooleanField(label("在登录页显示", "Shown on the sign-in page"), default=False)
    """Whether the sign-in page names it."""
    is_enabled = models.BooleanField(label("状态", "Status"), default=True)
    is_deleted = models.BooleanField(default=False, editable=False)
    rights_version = models.IntegerField(default=0, editable=False)
    """Grows with each change of roles and grants, so that every process drops its snapshots."""
    create_time = models.DateTimeField(label("创建时间", "Created"), default=clock.now, editable=False)

    objects = StandingTenants()

    class Meta:
        verbose_name = label("租户", "Tenant")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_code"], condition=models.Q(is_deleted=False), name="tenant_code_once"
            )
        ]

    def __str__(self) -> str:
        return choose(self.tenant_name, self.tenant_name_en)

    def status_name(self) -> str:
        """Return whether its people may work, unless its time is over."""
        return _("启用") if self.is_enabled else _("停用")

    @property
    def is_open(self) -> bool:
        """Return whether its people may sign in and work now; asked at each request."""
        if self.tenant_id == PLATFORM:
            return True
        is_over = self.expire_time is not None and self.expire_time <= clock.now()
        return self.is_enabled and not self.is_deleted and not is_over


class QuotaKind(models.TextChoices):
    """What the platform limits."""

    FILES = "files", label("附件空间", "File space")
    PEOPLE = "people", label("账号", "Accounts")
    MODELS = "models", label("流程模型", "Process models")
    INSTANCES = "instances", label("运行中的流程", "Running processes")


class Quota(TenantModel):
    """How much of one kind a company may use; see quotas.py. Its row is locked while it is taken from."""

    kind = models.CharField(max_length=12, choices=QuotaKind.choices)
    most = models.BigIntegerField()
    """Bytes of files, or a number; -1 for any. Of people it is the company's own column that counts."""
    told = models.SmallIntegerField(default=0)
    """The share in percent of which the administrators were told last."""

    class Meta(TenantModel.Meta):
        verbose_name = label("额度", "Quota")
        constraints = [models.UniqueConstraint(fields=["tenant_id", "kind"], name="quota_kind_once")]

    def __str__(self) -> str:
        return self.kind


class Department(TreeModel):
    """A department of a company."""

    dept_name = models.CharField(label("部门名称", "Department"), max_length=60)
    dept_name_en = models.CharField(label("英文名称", "English name"), max_length=120, blank=True, default="")
    full_name = models.CharField(label("部门全称", "Full name"), max_length=120, blank=True, default="")
    dept_category = DictionaryField(label("机构类型", "Category"), dictionary="org_category", default=2)
    leader = models.ForeignKey(
        "User", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=label("负责人", "Head")
    )
    sort = models.IntegerField(label("排序", "Order"), default=0)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(TreeModel.Meta):
        verbose_name = label("部门", "Department")
        indexes = [models.Index(fields=["tenant_id", "path"])]

    def __str__(self) -> str:
        return choose(self.dept_name, self.dept_name_en)

    def ancestors(self) -> str:
        """Ids from 0 to the department above, comma-joined."""
        return ",".join(["0", *self.path.strip("/").split("/")[:-1]])

    def parent_name(self) -> str:
        """Return the department above; a root hangs on the company itself."""
        return str(self.parent) if self.parent else _("顶级")


class Post(AuditedModel):
    """A post that people of a company hold."""

    category = DictionaryField(label("岗位类型", "Category"), dictionary="post_category")
    post_code = models.CharField(label("岗位编号", "Code"), max_length=20)
    post_name = models.CharField(label("岗位名称", "Position"), max_length=50)
    post_name_en = models.CharField(label("英文名称", "English name"), max_length=80, blank=True, default="")
    sort = models.IntegerField(label("排序", "Order"), default=0)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("岗位", "Position")
        constraints = [unique_in_tenant("post_code", name="post_code_once")]

    def __str__(self) -> str:
        return choose(self.post_name, self.post_name_en)


class UserType(models.IntegerChoices):
    """Where a person works with the product."""

    WEB = 1, label("网页端", "Web")
    APP = 2, label("移动端", "App")
    OTHER = 3, label("其他", "Other")


class Language(models.TextChoices):
    """Languages of the product."""

    CHINESE = "zh-hans", label("中文", "Chinese")
    ENGLISH = "en", label("英文", "English")


class User(AuditedModel):
    """A person's account in one tenant."""

    may_lose = (EVERYTHING,)  # people leave, and what they did keeps their name

    USERNAME_FIELD = "account"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    is_anonymous = False
    is_authenticated = True

    code = models.CharField(label("用户编号", "Staff number"), max_length=40, blank=True, default="")
    account = models.CharField(label("账号", "Account"), max_length=40)
    password = models.CharField(max_length=200, editable=False)
    name = models.CharField(label("昵称", "Nickname"), max_length=40, blank=True, default="")
    real_name = models.CharField(label("姓名", "Name"), max_length=40)
    phone = models.CharField(label("手机", "Phone"), max_length=20, blank=True, default="")
    email = models.CharField(label("邮箱", "E-mail"), max_length=100, blank=True, default="")
    birthday = models.DateTimeField(label("生日", "Birthday"), null=True, blank=True)
    sex = DictionaryField(label("性别", "Sex"), dictionary="sex", default=3)
    avatar = StoredFile(label("头像", "Picture"), max_length=200, blank=True, default="")
    """Name of a stored picture."""
    dept = models.ForeignKey(
        Department, models.PROTECT, null=True, related_name="users", verbose_name=label("所属部门", "Department")
    )
    hour_rate = models.DecimalField(
        label("工时单价", "Hourly rate"), max_digits=8, decimal_places=2, null=True, blank=True
    )
    """元/小时, of the person's post; null takes the parameter labour.rate.default."""
    user_type = models.IntegerField(label("用户平台", "Platform"), choices=UserType.choices, default=UserType.WEB)
    user_ext = models.TextField(label("平台资料", "Platform data"), max_length=4096, blank=True, default="")
    """A JSON object as text, for the console's other programs."""
    is_enabled = models.BooleanField(label("状态", "Status"), default=True)
    must_change_password = models.BooleanField(default=False, editable=False)
    """Set with a password that the server made up: until it is replaced, nothing else may be done."""
    password_expires_at = models.DateTimeField(null=True, editable=False)
    """When a made-up password stops counting; null for one that a person chose."""
    lang = models.CharField(
        label("语言", "Language"), max_length=10, choices=Language.choices, default=Language.CHINESE
    )
    """The language of what leaves the console, such as a mail; messages in it are shown in the language of the page."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("用户", "User")
        constraints = [unique_in_tenant("account", name="user_account_once")]
        indexes = [models.Index(fields=["tenant_id", "dept"])]

    def __str__(self) -> str:
        return self.real_name

    def status_name(self) -> str:
        """Return whether the account works."""
        return _("启用") if self.is_enabled else _("停用")


class UserPost(TenantModel):
    """A post that a person holds."""

    user = models.ForeignKey(User, models.CASCADE, related_name="posts")
    post = models.ForeignKey(Post, models.CASCADE, related_name="holders")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user", "post"], name="user_post_once")]


class Client(VersionedModel, SharedModel):
    """A program that people sign in with. It identifies itself with this row and proves nothing by it."""

    shared_because = "a program is the same one for all tenants"

    client_id = models.CharField(label("客户端编号", "Client id"), max_length=60, unique=True)
    secret = models.CharField(max_length=200, editable=False)
    """The secret's hash."""
    resource_ids = models.CharField(label("资源集合", "Resources"), max_length=200, blank=True, default="")
    scope = models.CharField(label("授权范围", "Scope"), max_length=60, default="all")
    authorized_grant_types = models.CharField(label("授权类型", "Grants"), max_length=200)
    """Comma-joined."""
    web_server_redirect_uri = models.CharField(label("回调地址", "Redirect"), max_length=300, blank=True, default="")
    authorities = models.CharField(label("权限", "Authorities"), max_length=200, blank=True, default="")
    access_token_validity = models.IntegerField(label("令牌有效期(秒)", "Access token, seconds"), default=3600)
    refresh_token_validity = models.IntegerField(label("刷新令牌有效期(秒)", "Refresh token, seconds"), default=604800)
    additional_information = models.TextField(
        label("附加说明", "Additional information"), max_length=4096, blank=True, default=""
    )
    """A JSON object as text."""
    autoapprove = models.CharField(label("自动授权", "Auto-approve"), max_length=60, blank=True, default="")
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    create_time = models.DateTimeField(label("创建时间", "Created"), default=clock.now, editable=False)

    class Meta:
        verbose_name = label("客户端", "Client")

    def __str__(self) -> str:
        return self.client_id


class Team(AuditedModel):
    """A plain group of people, such as a repair team."""

    team_name = models.CharField(label("班组名称", "Team"), max_length=60)
    team_name_en = models.CharField(max_length=120, blank=True, default="")
    leader = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    sort = models.IntegerField(default=0)

    class Meta(AuditedModel.Meta):
        verbose_name = label("班组", "Team")

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
    own_rows = "EXISTS (SELECT 1 FROM identity_tenant AS t WHERE t.id = identity_session.tenant_id)"

    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+")
    user_id = models.BigIntegerField()
    generation = models.IntegerField(default=0)
    """Number of the refresh token that counts; see tokens.py."""
    rotated_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    rights_version = models.IntegerField(default=0)
    """Grows when this person's rights change, so that every process drops the snapshot."""
    is_limited = models.BooleanField(default=False)
    """Whether the password has to be changed before anything else is done; see authentication.py."""
    create_time = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["user_id"]), models.Index(fields=["expires_at"])]


class Ticket(SharedModel):
    """A ticket for one download, handed out and not yet used; see tickets.py."""

    shared_because = "it is looked at before its person's tenant is entered"
    own_rows = "EXISTS (SELECT 1 FROM identity_session AS s WHERE s.id = identity_ticket.session_id)"

    digest = models.CharField(max_length=64, unique=True)
    """Of the ticket's text, which nobody but its holder knows."""
    session = models.ForeignKey(Session, models.CASCADE, related_name="+")
    address = models.CharField(max_length=1000)
    expires_at = models.DateTimeField(db_index=True)


class CaptchaKind(models.TextChoices):
    """What a captcha asks for."""

    PICTURE = "picture"
    SLIDER = "slider"


class Captcha(SharedModel):
    """A captcha that was handed out and not yet answered."""

    shared_because = "it is asked for before sign-in"

    key = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=CaptchaKind.choices, default=CaptchaKind.PICTURE)
    answer = models.CharField(max_length=10)
    """The letters, or the place of the gap in pixels."""
    create_time = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField(db_index=True)


class Tries(SharedModel):
    """How often a password was tried under one key since the window began; see lockout.py."""

    shared_because = "tries are counted before anybody is signed in"

    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=64)
    """A keyed digest of the account or address that is counted: the table names nobody."""
    owner = models.CharField(max_length=64, blank=True, default="", db_index=True)
    """Digest of the account that the row belongs to; empty for an address."""
    tries = models.IntegerField(default=0)
    since = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="tries_key_once")]
