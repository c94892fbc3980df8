"""Django settings, all derived from the environment; see env.py for the variables."""

from __future__ import annotations

from datetime import timedelta

from redis.backoff import NoBackoff
from redis.retry import Retry

from core.project import env as _env
from core.project import static

ENV = _env.read()
BASE_DIR = _env.ROOT
DATA_DIR = ENV.data_dir
SECRET_KEY = _env.secret(DATA_DIR, "django")
PASSWORD_PEPPER = _env.secret(DATA_DIR, "pepper")
LINK_KEY = _env.secret(DATA_DIR, "link")
CREDENTIAL_KEY = _env.secret(DATA_DIR, "credentials")
KEYS_DIR = DATA_DIR / "keys"
# Made and checked now; core/identity/keyring.py reads them, because they may be changed while the server runs.
_env.secret(DATA_DIR, "token")
_env.former_secret(DATA_DIR, "token")
DEBUG = False
VERBOSE = ENV.debug
ALLOWED_HOSTS = list(ENV.allowed_hosts)
CAPTCHA_MODE = ENV.captcha_mode
DEMO_PASSWORD = ENV.demo_password
NODE_ID = ENV.node_id
FILES_DIR = DATA_DIR / "files"
WEB_DIST = BASE_DIR / "web" / "dist"
MODELS_DIR = BASE_DIR / "bpmn"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",  # its hashers are used; its tables stay empty
    "rest_framework",
    "drf_spectacular",
    "core.kernel",
    "core.database",
    "core.rest",
    "core.identity",
    "core.access",
    "core.system",
    "core.storage",
    "core.audit",
    "core.cases",
    "core.desk",
    "core.scheduling",
    "core.sheetjobs",
    "core.equipment",
    "core.spares",
    "core.inspection",
    "core.rounds",
    "core.shifts",
    "core.maintenance",
    "core.preventive",
    "core.metrics",
    "workflows.runtime.tables.deployments",
    "workflows.runtime.tables.instances",
    "workflows.runtime.tables.worklist",
    "workflows.runtime.tables.timers",
    "workflows.runtime.tables.messages",
    "workflows.runtime",
    "workflows.workbench",
    "core.project",
]
MIDDLEWARE = [
    "core.rest.middleware.behind_proxy",
    "core.rest.middleware.request_id",
    "core.rest.middleware.CompressedReadings",
    "core.rest.middleware.content_security_policy",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
]
APPEND_SLASH = False
# Logs are stored by a thread of the web process; tests store them when they want to look.
LOG_THREAD = True
TRUSTED_PROXIES = ENV.trusted_proxies
# Sent over TLS only. Redirecting to TLS is the proxy's work: here /healthz and a plant's plain network must go on.
SECURE_HSTS_SECONDS = 31_536_000
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
ROOT_URLCONF = "core.project.urls"
WSGI_APPLICATION = "core.project.wsgi.application"
TEMPLATES: list[dict[str, object]] = []
AUTH_USER_MODEL = "identity.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SILENCED_SYSTEM_CHECKS = [
    "auth.E003",  # an account is unique within its tenant, by constraint
    "security.W003",  # no cookie is ever a credential here, so no foreign page can use one
    "security.W005",  # names beside ours in the domain are not ours to decide about
    "security.W008",  # see SECURE_HSTS_SECONDS
    "security.W021",  # a plant's own name is on no browser's list
]

DATABASES = {"default": _env.database(ENV)}
DATABASE_OWNER = _env.owner(ENV)  # see core/database/owner.py
REDIS_URL = ENV.redis_url or "redis://127.0.0.1:6379/0"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "xunwei",
        # The client's own retries take seconds; a cache that does not answer is a cache miss, now.
        "OPTIONS": {"retry": Retry(NoBackoff(), 0), "socket_connect_timeout": 2, "socket_timeout": 2},
    }
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A killed worker's messages come back at the next sweep of the transport, every few seconds instead of every 100.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "global_keyprefix": "xunwei:",
    # Without a broker a wake-up fails at once; by default kombu would hold the request for six seconds a message.
    "max_retries": 0,
}
# Hosts that processes may call over HTTP; without one there is no such operation.
HTTP_HOSTS = frozenset(ENV.http_hosts)
# What the worker does for one tenant in a minute: messages of the outbox, those of them that other messages led to, and
# timers. Beyond it the tenant's rows wait for the next minute; see core/scheduling/turns.py.
TENANT_BUDGETS = {"deliveries": ENV.tenant_budget, "hops": ENV.tenant_budget // 4, "events": ENV.tenant_budget // 2}

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "core" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

STATIC_URL = "static/"
WHITENOISE_ROOT = WEB_DIST
WHITENOISE_INDEX_FILE = False
WHITENOISE_MAX_AGE = 60
WHITENOISE_ADD_HEADERS_FUNCTION = static.add_headers
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# The front door has taken the whole body by now, and lets none through that is longer (LONGEST_UPLOAD).
FILE_UPLOAD_MAX_MEMORY_SIZE = 21 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["core.identity.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["core.rest.permissions.DeclaredCode"],
    "DEFAULT_RENDERER_CLASSES": ["core.blade.envelope.EnvelopeRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "core.blade.parsers.StrictJSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_SCHEMA_CLASS": "core.rest.openapi.EnvelopeSchema",
    "EXCEPTION_HANDLER": "core.blade.envelope.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "DATETIME_FORMAT": "%Y-%m-%d %H:%M:%S",
    "DATETIME_INPUT_FORMATS": ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "iso-8601"],
    "DATE_FORMAT": "%Y-%m-%d",
    "COERCE_DECIMAL_TO_STRING": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "巡维 Xunwei",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "PREPROCESSING_HOOKS": ["core.rest.openapi.one_spelling"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.rest.openapi.answers_are_whole",
        "core.rest.openapi.error_codes",
        "core.rest.openapi.refusals",
    ],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "ImportanceEnum": "core.equipment.models.Importance",
        "PlateTypeEnum": "core.equipment.models.PLATE_CHOICES",
        "TagTypeEnum": "core.equipment.models.TagType",
        "LeaveTypeEnum": "core.desk.leave.models.LeaveType",
        "ItemImportanceEnum": "core.inspection.models.ItemImportance",
        "UrgencyEnum": "core.equipment.models.Urgency",
        "CheckStateEnum": "core.audit.models.CheckState",
        "JobLogStatusEnum": "core.scheduling.models.JobLogStatus",
        "JobStatusEnum": "core.scheduling.models.JobStatus",
        "RestSourceEnum": "core.equipment.models.RestSource",
        "PlanStatusEnum": "core.shifts.models.PlanStatus",
        "ExtraTypeEnum": "core.system.models.ExtraType",
        "LanguageEnum": "core.identity.models.Language",
        "ReleaseLanguageEnum": "core.system.models.ReleaseLanguage",
        "FindingEnum": "core.rounds.models.Finding",
        "InspectOrderStatusEnum": "core.rounds.models.OrderStatus",
        "InspectDetailStatusEnum": "core.rounds.models.DetailStatus",
        "ForecastStatusEnum": "core.rounds.models.ForecastStatus",
        "MaintenanceLevelEnum": "core.inspection.upkeep.MaintenanceLevel",
        "JobTriggerEnum": "core.scheduling.models.TriggerType",
        "MaintenanceTriggerEnum": "core.inspection.upkeep.Trigger",
        "MaintainSourceEnum": "core.preventive.models.Source",
        "MaintainResultEnum": "core.preventive.models.Result",
        "SignPlaceEnum": "workflows.runtime.commands.signers.PLACES",
    },
}
ACCESS_TOKEN_LIFETIME = timedelta(seconds=3600)
REFRESH_TOKEN_LIFETIME = timedelta(days=7)

PASSWORD_HASHERS = ["core.identity.passwords.Argon2"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {
        # While the worker starts, a poll of /healthz is no error worth a line.
        "not_health": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: "/healthz" not in record.getMessage(),
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["not_health"]}},
    "root": {"handlers": ["stderr"], "level": "INFO" if VERBOSE else "WARNING"},
    "loggers": {
        "xunwei": {"level": "INFO"},
        "spiff": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},
    },
}
