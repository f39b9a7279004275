"""The options of each connection to PostgreSQL: how queries are planned, how long either end waits for the other.
Not here: where the database is (`env`).

A link that went silent is given up after 10 seconds by both ends. The system would wait for hours: the portal for an
answer, the server with the locks of a machine that is gone. A process that does nothing within a transaction, for
example on a frozen machine, loses it after 20 seconds, because others wait for its locks.
"""

PREPARED_AFTER = 2  # times that a connection asks the same
READ_COMMITTED = 2  # as psycopg numbers it, which is not installed everywhere
LINK_LOST = 10_000  # milliseconds until what was sent must have arrived
PROBES = (5, 2, 3)  # seconds without traffic until the first probe, and between two; how many without an answer
_SESSION = {  # of the server, for this session
    # Just-in-time compilation pays only for queries of seconds. Ours take milliseconds and are costed too high.
    "jit": "off",
    # A row found by an index costs hardly more than the next row of its table: what is asked often is in memory, or on
    # a disk without moving parts. At the server's own 4 it reads whole tables.
    "random_page_cost": 1.1,
    **dict(zip(("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count"), PROBES, strict=True)),
    "tcp_user_timeout": LINK_LOST,
    "idle_in_transaction_session_timeout": 20_000,  # milliseconds
}
OPTIONS: dict[str, object] = {
    # The server plans a query once for each connection: planning takes longer than most of its answers.
    "server_side_binding": True,
    "prepare_threshold": PREPARED_AFTER,
    # After waiting for a lock, a transaction must see what the one before wrote, even if the server says no.
    "isolation_level": READ_COMMITTED,
    # A server that cannot be reached is not waited for longer, so that probes answer.
    "connect_timeout": 5,
    **dict(zip(("keepalives_idle", "keepalives_interval", "keepalives_count"), PROBES, strict=True)),
    "tcp_user_timeout": LINK_LOST,
    "options": " ".join(f"-c {name}={value}" for name, value in _SESSION.items()),
}
