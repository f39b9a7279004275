"""Django's settings. Defaults start the whole portal on one machine; service mode is the same code.

Everything that differs between machines comes from the environment through `portal.env`; `docs/settings.md` lists it.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

from corsheaders.defaults import default_headers
from csp.constants import NONE, SELF

from portal import env, logs
from portal.env import compiled_code, memory_folder

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = env.private_folder("PORTAL_VAR", BASE_DIR / "var")  # sessions, filings and keys: no one else's business
compiled_code(BASE_DIR / "games" / "__pycache__", VAR / "compiled")

SERVICE = env.flag("PORTAL_SERVICE", default=False)  # behind TLS, with PostgreSQL and Redis of its own
DEMO = env.flag("PORTAL_DEMO", default=not SERVICE)  # demo organizations; every document is marked DEMO
ALLOW_MISSING_TEXT = env.flag("PORTAL_ALLOW_MISSING_TEXT", default=DEMO)  # filings that rest on text not at hand
DEMO_PASSPHRASE = env.text("PORTAL_DEMO_PASSPHRASE", "all cards on the table")  # shown on the sign-in page
DEBUG = env.flag("PORTAL_DEBUG", default=False)
SECRET_KEY = env.secret("PORTAL_SECRET_KEY", VAR / "secret-key")
SECRET_KEY_FALLBACKS = env.words("PORTAL_SECRET_KEY_FALLBACKS")  # former secrets, until `rotate_secrets` was run
PUBLIC_URL = env.text("PORTAL_URL", "http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = env.words("PORTAL_HOSTS", "127.0.0.1,localhost,testserver")
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
AGENCY = {  # who runs the portal, above and below every page
    "name": env.text("PORTAL_AGENCY"),
    "address": env.web_address("PORTAL_AGENCY_URL"),
    "mail": env.text("PORTAL_CONTACT_MAIL"),
    "phone": env.text("PORTAL_CONTACT_PHONE"),
    "links": env.links("PORTAL_FOOTER_LINKS"),
}
PUBLIC_REGISTER = env.flag("PORTAL_PUBLIC_REGISTER", default=True)  # no text at hand says that it must be, or may be
OPEN_DATA_TERMS = env.text("PORTAL_OPEN_DATA_TERMS", "No terms of use have been stated for these tables.")

INSTALLED_APPS = [
    "submissions",
    "portal",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "corsheaders",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "submissions.web.request_log.RequestLog",
    "submissions.web.middleware.without_body",
    "submissions.web.middleware.protective_headers",
    "submissions.web.probes.Probes",  # before the hosts and the scheme are checked: a balancer asks by IP address
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "csp.middleware.CSPMiddleware",  # before WhiteNoise: a drawing among the static files is opened as a page, too
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "submissions.web.middleware.Compression",  # after WhiteNoise, whose files are compressed already
    "submissions.web.load_limits.LoadLimits",  # what it refuses, or has, costs neither a session nor a query
    "submissions.web.middleware.read_rules_once",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "submissions.web.security_records.SecurityRecords",  # of every response of the views below
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "submissions.web.access_gate.ActingPerson",  # from here on, a person of several properties acts for one of them
    "submissions.accounts.pages.reauthentication.ConfirmationGate",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "submissions.web.template_context.portal",
            ],
            # Every template has these tags without loading them; the portal's `csrf_token` takes the place of Django's.
            "builtins": [
                "django.templatetags.static",
                "django.contrib.humanize.templatetags.humanize",
                "submissions.web.template_tags",
            ],
        },
    }
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # `templates/django/forms/field.html` draws a field

DATABASES = {"default": env.database(env.text("DATABASE_URL", f"sqlite:///{VAR / 'portal.sqlite3'}"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES: dict[str, dict[str, Any]] = {
    # In the database: shared by every process and machine, and alive when the broker is not. django-allauth counts the
    # attempts to sign in here, and nothing else belongs here: figures are rows of their own (`Computation`), and used
    # codes are marked in the rows of their apps. Above MAX_ENTRIES, the third that expires first is deleted, counters
    # that still count among them.
    "default": {"BACKEND": "portal.storage.CounterCache", "OPTIONS": {"MAX_ENTRIES": 100_000}},
    # Public pages, for some seconds, in the memory of each process (`web.load_limits`): a miss costs a page. Django
    # pickles them there, and nothing from outside of the process is ever read.
    "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100}},
}

# Jobs. Without REDIS_URL the supervisor runs an embedded broker on this socket.
BROKER_SOCKET = env.socket(VAR / "broker.sock")
EMBEDDED_BROKER = not env.text("REDIS_URL")
REDIS_URL = env.text("REDIS_URL", f"redis+socket://{BROKER_SOCKET}")
THROTTLE_URL = f"unix://{BROKER_SOCKET}" if EMBEDDED_BROKER else REDIS_URL  # counts requests of the API
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True  # a worker may start before its broker,
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # and waits for it as long as it takes
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 2,
    "socket_timeout": 5,  # of a wake-up that is sent; a silent link would hold the request or the sweeper for ever
    "socket_keepalive": True,
    "health_check_interval": 5,  # a worker whose broker has not answered for longer connects again
    "max_retries": 0,  # publishing gives up at once: a request does not wait for a broker
}
CELERY_TASK_PUBLISH_RETRY = False  # likewise
CELERY_TASK_IGNORE_RESULT = True  # the job's row has it
CELERY_TASK_TIME_LIMIT = 30 * 60  # a step that hangs is killed, and its lease runs out
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a message that one process holds back is missing to the others
JOB_LEASE = timedelta(seconds=env.number("PORTAL_JOB_LEASE_SECONDS", 20, at_least=2))
BULK_TOGETHER = env.number("PORTAL_BULK_TOGETHER", 25, at_least=1)  # filings in an all-or-nothing batch
JOB_ATTEMPTS = 8
JOB_CLOCK = "database"  # by which leases end; "process" in tests that travel in time
SIMULATION_ROUNDS = env.number("PORTAL_SIMULATION_ROUNDS", 0)  # per configuration; 0 = as many as the chapter says
SWEEP_EVERY = timedelta(seconds=2)
WORKERS = env.number("PORTAL_WORKERS", 2, at_least=1)  # for long jobs: simulations, exact figures
SHORT_WORKERS = env.number("PORTAL_SHORT_WORKERS", 2, at_least=1)  # for short ones: checks, batches, documents
OUTBOUND_WORKERS = env.number("PORTAL_OUTBOUND_WORKERS", 2, at_least=1)  # for mail and webhooks
STOP_SECONDS = env.number("PORTAL_STOP_SECONDS", 8, at_least=1)  # between asking a process to stop and killing it
VERIFICATION_WORKERS = env.number("PORTAL_VERIFICATION_WORKERS", 1, at_least=1)  # for files from the public
VERIFICATION_QUEUE = env.number("PORTAL_VERIFICATION_QUEUE", 40, at_least=1)  # files that wait, of all callers
VERIFICATION_QUEUE_PER_CALLER = env.number("PORTAL_VERIFICATION_QUEUE_PER_CALLER", 4, at_least=1)
DRAFT_WORKERS = env.number("PORTAL_DRAFT_WORKERS", 1, at_least=1)  # for drafts as PDF
DRAFT_QUEUE = env.number("PORTAL_DRAFT_QUEUE", 20, at_least=1)  # drafts that wait, of all people
DRAFT_QUEUE_PER_PERSON = env.number("PORTAL_DRAFT_QUEUE_PER_PERSON", 4, at_least=1)
WEB_PROCESSES = env.number("PORTAL_WEB_PROCESSES", 3, at_least=1)
WEBHOOK_PRIVATE = env.flag("PORTAL_WEBHOOK_PRIVATE", default=False)  # webhooks may lead into the portal's own network

# People
AUTH_USER_MODEL = "submissions.Person"
AUTHENTICATION_BACKENDS = ["submissions.accounts.sign_in.AccountBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_ADAPTER = "portal.accounts.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"  # people are invited, they do not sign up
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
PASSWORD_RESET_TIMEOUT = 60 * 60  # seconds
SECOND_FACTOR = env.flag(
    "PORTAL_SECOND_FACTOR", default=SERVICE or not DEMO
)  # anyone who files or decides must have one
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("PORTAL_TRUSTED_PROXIES", int(SERVICE))  # as X-Forwarded-For names callers
ACCOUNT_RATE_LIMITS = {
    "login_failed": None,  # counted by account alone; `accounts.pages.attempts` counts instead
    "login": "120/m/ip",
    "sign_in_device": "5/m/key,10/10m/key,30/h/key,100/d/key",
    "sign_in_account_network": "5/m/key,10/10m/key,20/h/key,50/d/key",
    "sign_in_network": "60/5m/key,300/h/key,1000/d/key",
    "sign_in_account": "300/h/key",  # from all networks together, and not from the person's own devices
    "code_device": "5/5m/key,20/h/key,50/d/key",
    "code_account_network": "5/5m/key,20/h/key,50/d/key",
    "code_account": "30/h/key,100/d/key",  # of who knows the passphrase: six digits are soon tried
    "confirm_session": "5/5m/key,20/h/key,50/d/key",
    "confirm_person": "60/h/key",
    "reset_password": "10/m/ip,30/h/ip,30/h/key",
    "agency_sign_in": "30/m/ip",
    "join": "20/m/ip",
}
MFA_ADAPTER = "portal.accounts.MfaAdapter"
USERSESSIONS_ADAPTER = "portal.accounts.SessionsAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_FORMS = {
    "authenticate": "submissions.accounts.pages.factor_forms.SignInCodeForm",
    "add_webauthn": "submissions.accounts.pages.factor_forms.AddPasskeyForm",
    "authenticate_webauthn": "submissions.accounts.pages.factor_forms.SignInPasskeyForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses come from the person who sent the invitation
# Agency staff through their own OpenID Connect provider, where one is named
OIDC_ISSUER = env.text("PORTAL_OIDC_ISSUER").rstrip("/")
OIDC_REQUIRED = env.flag("PORTAL_OIDC_REQUIRED", default=False)  # their passphrases no longer sign in
SOCIALACCOUNT_PROVIDERS = env.agency_provider(
    OIDC_ISSUER, env.text("PORTAL_OIDC_CLIENT_ID"), env.text("PORTAL_OIDC_CLIENT_SECRET_FILE")
)
SOCIALACCOUNT_ADAPTER = "submissions.accounts.pages.agency_sign_in.AgencyAdapter"
SOCIALACCOUNT_STORE_TOKENS = False
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
SESSION_COOKIE_AGE = 8 * 60 * 60
SESSION_ENGINE = "portal.storage"
# In service no other host, not even a subdomain, can set these cookies; browsers take the prefix only over https.
COOKIE_PREFIX = "__Host-" if SERVICE else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
KNOWN_DEVICES_COOKIE_NAME = f"{COOKIE_PREFIX}known_devices"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SERVICE
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # no cookie of their own
CSRF_FAILURE_VIEW = "submissions.web.access_gate.csrf_failure"
SECURE_HSTS_SECONDS = 31_536_000 if SERVICE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SERVICE
SECURE_SSL_REDIRECT = SERVICE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SERVICE else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# Mail: written into files until a server is named.
_MAIL = env.mail(env.text("EMAIL_URL")) if env.text("EMAIL_URL") else env.MailServer()
EMAIL_BACKEND = env.text(
    "EMAIL_BACKEND", f"django.core.mail.backends.{'smtp' if env.text('EMAIL_URL') else 'filebased'}.EmailBackend"
)
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL
EMAIL_FILE_PATH = VAR / "mail"
EMAIL_TIMEOUT = 10  # seconds; a server that takes longer counts as away
DEFAULT_FROM_EMAIL = env.text("PORTAL_MAIL_FROM", "Rules Submission Portal <portal@example.test>")

# Files from outside: one above the limit is dropped while it arrives
FILE_UPLOAD_HANDLERS = [
    "submissions.web.upload_handler.LimitedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
ATTACHMENT_LIMIT = env.number("PORTAL_ATTACHMENT_MB", 20, at_least=1) * 1024 * 1024
ATTACHMENT_QUOTA = env.number("PORTAL_ATTACHMENT_QUOTA_MB", 200, at_least=1) * 1024 * 1024  # per submission
TARGET_DAYS = env.number("PORTAL_TARGET_DAYS", 30)  # from the filing of a Rules Submission to its decision; 0 = none
ORDER_NOTICE_DAYS = env.number("PORTAL_ORDER_NOTICE_DAYS", 30, at_least=1)  # before an order ends: a task and a notice
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

# The API. Browsers of other websites: `submissions.api.description` says what any of them may read.
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOWED_ORIGINS = env.words("PORTAL_API_ORIGINS")  # whose programs may call with a key
CORS_ALLOW_HEADERS = (*default_headers, "idempotency-key", "if-match", "if-none-match")
CORS_EXPOSE_HEADERS = (
    "ETag", "Idempotency-Replayed", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-ID",
)  # fmt: skip
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["submissions.api.framework.authentication.CredentialAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["submissions.api.framework.authentication.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["submissions.api.framework.authentication.RequestThrottle"],
    "DEFAULT_FILTER_BACKENDS": ["submissions.api.framework.query_parameters.RefusalFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "submissions.api.framework.pagination.WholeList",
    "DEFAULT_PARSER_CLASSES": ["submissions.api.framework.bodies.RawJsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "submissions.api.framework.openapi.ApiSchema",
    "DEFAULT_THROTTLE_RATES": {"credential": "12000/minute", "address": "600/minute", "token": "60/minute"},
    "EXCEPTION_HANDLER": "submissions.api.framework.problem_details.exception_handler",
    "URL_FORMAT_OVERRIDE": None,  # a parameter that nobody knows is refused, this one too
}
API_TAGS = {  # the first part of an address below /api/v1/
    "bulk": "Many actions in one call, checked and confirmed together",
    "chapters": "The games: the lines of each checklist, what each takes, and the judgment of answers",
    "data-dictionary": "Every line of every chapter as a table",
    "errors": "Every error code with its remedy",
    "events": "What happened, in order, without a gap",
    "in-force": "What is in effect on a day",
    "layouts": "Layouts, signs and guides",
    "me": "Who the caller is and what they may do",
    "orders": "Orders, waivers and conditions of the Board",
    "register": "The public register of approved versions",
    "root": "Where everything is",
    "status": "How the portal is",
    "submissions": "Rules Submissions: drafts, filings, comments, documents",
    "tables": "The casinos' table lists",
    "webhooks": "Addresses that the portal calls when something happens",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Rules Submission Portal",
    "DESCRIPTION": "Rules Submissions for Pennsylvania table games (58 Pa. Code, Subpart K): the pages, for programs.",
    "SERVERS": [{"url": PUBLIC_URL, "description": "This portal"}],
    "CONTACT": {
        "name": AGENCY["name"] or "The portal's operator",
        "url": PUBLIC_URL,
        **({"email": AGENCY["mail"]} if AGENCY["mail"] else {}),
    },
    "TAGS": [{"name": name, "description": words} for name, words in API_TAGS.items()],
    "WEBHOOKS": ["submissions.notifications.api.EVENT_WEBHOOK", "submissions.notifications.api.TEST_WEBHOOK"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "submissions.api.framework.openapi.name_requests",
    ],
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "SubmissionStatus": "submissions.models.Status",
        "LayoutStatus": "submissions.models.LayoutStatus",
        "Part": "submissions.models.Part",
        "ChapterStatus": ["temporary", "proposed", "final"],
        "WebhookRequestVerbsItem": "submissions.notifications.api.VERB_CHOICES",
    },
    "GET_LIB_DOC_EXCLUDES": "submissions.api.framework.openapi.docstring_excludes",
}

# Signing: a demo root is made at first start; in service a PKCS#12 and a timestamp authority are named.
KEYS = VAR / "keys"
SIGNS = env.flag("PORTAL_SIGNS", default=True)  # 0 = this process has no seal: `serve --only web`
SIGNING_PKCS12 = env.text("PORTAL_SIGNING_PKCS12")
SIGNING_PASSPHRASE_FILE = env.text("PORTAL_SIGNING_PASSPHRASE_FILE")
SIGNING_ROOT = env.text("PORTAL_SIGNING_ROOT")
SIGNING_SEALS = env.text("PORTAL_SIGNING_SEALS")  # PEM: the present and past seal certificates
TIMESTAMP_URL = env.text("PORTAL_TIMESTAMP_URL")
CHECKPOINTS = VAR / "checkpoints"  # copies of the history's checkpoints, outside of the database

# The security log (`submissions.security_log`)
SECURITY_LOG = env.log_file("PORTAL_SECURITY_LOG")  # where its lines go, in addition to the database
SECURITY_LOG_DAYS = env.number("PORTAL_SECURITY_LOG_DAYS", 400, at_least=91)  # the database refuses less than 90

# Watching (`submissions.operations`): from where on something is wrong
DISK_FREE = env.number("PORTAL_DISK_FREE_MB", 1024, at_least=1) * 1024 * 1024  # bytes
JOB_LATE = timedelta(seconds=env.number("PORTAL_JOB_LATE_SECONDS", 1800, at_least=1))  # since a job was due
PROCESS_LATE = timedelta(seconds=env.number("PORTAL_PROCESS_LATE_SECONDS", 120, at_least=30))  # since its last report
CHECKPOINT_EVERY = timedelta(hours=1)  # where there are changes
CHECKPOINT_LATE = timedelta(minutes=env.number("PORTAL_CHECKPOINT_LATE_MINUTES", 60, at_least=1))  # since it was due
CERTIFICATE_DAYS = env.number("PORTAL_CERTIFICATE_DAYS", 30, at_least=1)  # before a certificate ends
ALERT_EMAIL = env.words("PORTAL_ALERT_EMAIL")  # gets each alert, beside the administrators of the Board
METRICS_NETWORKS = env.networks("PORTAL_METRICS_NETWORKS", "127.0.0.0/8,::1/128")
METRICS_TOKEN = env.file_text("PORTAL_METRICS_TOKEN_FILE")  # "": none
METRICS_FOLDER = memory_folder(VAR / "metrics")  # what the web processes counted
SENTRY_DSN = env.text("PORTAL_SENTRY_DSN")  # "": errors are only logged

# How long what is not evidence is stored (`submissions.audit.retention`)
NOTICE_DAYS = env.number("PORTAL_NOTICE_DAYS", 400, at_least=30)  # after it was read
MAIL_DAYS = env.number("PORTAL_MAIL_DAYS", 400, at_least=30)  # after it was sent

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "America/New_York"  # dates are Pennsylvania's

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_USE_FINDERS = False  # from STATIC_ROOT, where `prepare` has collected and compressed them
STATICFILES_DIRS = [
    BASE_DIR / "portal" / "static",
    ("uswds", BASE_DIR / "node_modules" / "@uswds" / "uswds" / "dist"),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "portal.storage.HashedStaticFiles"},
}

LOG_FORMATS = {"text": "line", "json": "json"}  # formatters below
LOG_FORMAT = env.choice("PORTAL_LOG_FORMAT", "text", tuple(LOG_FORMATS))
ACCESS_LOG = env.flag("PORTAL_ACCESS_LOG", default=True)  # a line for each request
VERBOSE = ("weasyprint", "fontTools", "pikepdf", "pyhanko", "pyhanko_certvalidator")
LOGGING_CONFIG = "portal.logs.configure"  # strikes out secrets
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "format": "{asctime} {levelname} {name}: {message}{context}",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",  # with its offset: an hour is there twice in November
            "style": "{",
        },
        "json": {"()": "portal.logs.JsonLine"},
        "bare": {"format": "{message}", "style": "{"},
    },
    "filters": {"not_busy": {"()": "portal.logs.NotBusy"}, "seldom": {"()": "portal.logs.Seldom"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMATS[LOG_FORMAT], "filters": ["seldom"]},
        "security": logs.security_handler(SECURITY_LOG),
    },
    "root": {"handlers": ["console"], "level": env.text("PORTAL_LOG", "INFO")},
    # They write every step of every page that they lay out, and every message of the broker.
    "loggers": {
        **{name: {"level": "WARNING"} for name in (*VERBOSE, "celery", "kombu", "waitress")},
        "waitress.queue": {"level": "ERROR"},  # it writes a line for each request that waits for a thread
        "portal.access": {"filters": ["not_busy"]},
        "portal.security": {"handlers": ["security"], "level": "INFO", "propagate": False},
        "django.request": {"filters": ["not_busy"]},
        "pyhanko.sign": {"level": "ERROR"},  # it warns that nothing is fetched: so it is meant
    },
}
