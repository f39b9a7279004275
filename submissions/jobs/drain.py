"""Whether this worker was asked to stop: then its processes give back what they are doing after the present step.

Celery tells only its main process. The flag is in memory that the processes it forks share with it.
"""

import mmap

_flag = mmap.mmap(-1, 1)  # anonymous and shared; made before the fork


def request_stop() -> None:
    """In the main process: the worker stops."""
    _flag[0] = 1


def stop_requested() -> bool:
    return _flag[0] == 1
