"""The portal's processes: web, worker, sweeper and embedded broker under one supervisor (`manage.py serve`)."""
