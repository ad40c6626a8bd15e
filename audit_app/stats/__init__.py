"""Statistics on counts: intervals for a share and stratified estimates."""
