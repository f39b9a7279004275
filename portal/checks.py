"""Start-up checks: in service mode the portal refuses to start on settings made for a demonstration."""
